// SPDX-License-Identifier: ISC
/*  A ready license form for {{PRODUCT_NAME}}, with every screen, over Tonerow.js.

    Put it, Tonerow.js and TonerowTexts.js into your project's Scripts folder, and in onInit, after Content.makeFrontInterface:

        include("Tonerow.js");
        include("TonerowPanel.js");

        TonerowPanel.start(600, 400);      // the size of your interface: it lies over all of it while the plugin is locked

    From 320 by 240 on everything has its place. With an unlocker, call Tonerow.setUnlocker(Engine.createLicenseUnlocker()) before
    TonerowPanel.start(); with the node in C++, Tonerow.setBridge(Engine.getGlobalRoutingManager()). To show it again, as from
    a "License" button of yours, call TonerowPanel.open(). It speaks the computer's language if that is English, German, French,
    Spanish or Japanese, and English otherwise. One language for all, and every text of TonerowTexts.js, can be set before start:

        TonerowPanel.setLanguage("de");
        TonerowPanel.setText("welcomeTitle", "Willkommen");

    and your customers' page can have a button, and a newer version be looked for once a day:

        TonerowPanel.setProductsPage("https://licenses.example.com/redeem?dev=ID");
        Tonerow.setLooksForUpdates(true);

    Colors are in tonerowPanelLook. Nothing else of yours is touched: all components begin with "Tonerow".
*/

include('TonerowTexts.js');

namespace TonerowPanel
{
    const var tonerowPanelLook = {
        background: 0xFF15181D,
        text: 0xFFF2F4F7,
        quiet: 0xFFAEB6C2,
        accent: 0xFF2DD4BF,
        onAccent: 0xFF15181D,
        warning: 0xFFFBBF24,
        field: 0xFF22272F,
        // one that has the letters of the language
        font: '',
        productName: '{{PRODUCT_NAME}}',
        // customers redeem serials and see their computers there, such as your redemption page; empty for no button
        productsPage: ''
    };

    // what setText has replaced
    const var tonerowPanelTexts = {};

    const var tonerowPanelData = {
        language: '',
        screen: '',
        wanted: '',
        beforeError: '',
        ownNotice: '',
        isWorking: false,
        isOpen: false,
        actions: [],
        firstSeat: 0,
        seat: { id: '', name: '', day: '' },
        width: 0,
        height: 0,
        // pixels of a square of the QR code, 0: there is none
        square: 0,
        qrLeft: 0,
        qrTop: 0
    };

    // by the kind of what there is to show: the names of its texts without Title and Body
    const var tonerowPanelScreens = {
        welcome: 'welcome',
        moved: 'other',
        trial: 'trial',
        trial_ended: 'trialEnded',
        licensed: 'details',
        for_good: 'forGood',
        check_soon: 'checkSoon',
        check_due: 'expired',
        ended: 'ended',
        revoked: 'revoked',
        misconfigured: 'misconfigured',
        browser: 'browser',
        release: 'release',
        released: 'released',
        offline: 'offline',
        seats_full: 'seats',
        seats_code: 'seatsCode',
        seats: 'seatsList',
        confirm_seat: 'confirmSeat',
        update: 'update',
        error: 'error'
    };

    // where a form in HISE has a body of its own
    const var tonerowPanelBodies = { browser: 'browserHere', offline: 'offlineHere' };

    const var tonerowPanelNotices = {
        missing: 'missingFields',
        empty_serial: 'emptySerial',
        unreachable: 'unreachable',
        too_slow: 'tooSlow',
        not_genuine: 'notGenuine',
        busy_server: 'busyServer',
        unknown_plugin: 'unknownPlugin',
        clock_is_wrong: 'clockIsWrong',
        wrong_file: 'wrongFile',
        expired_file: 'expiredFile',
        lease_longer: 'leaseLonger',
        spent_file: 'spentFile',
        no_chance: 'noChance'
    };

    const var tonerowPanelBack = Content.addPanel('TonerowBack', 0, 0);
    const var tonerowPanelTitle = Content.addLabel('TonerowTitle', 0, 0);
    const var tonerowPanelBody = Content.addLabel('TonerowBody', 0, 0);
    const var tonerowPanelMessage = Content.addLabel('TonerowMessage', 0, 0);
    const var tonerowPanelFields = [
        Content.addLabel('TonerowKey', 0, 0),
        Content.addLabel('TonerowFirst', 0, 0),
        Content.addLabel('TonerowLast', 0, 0),
        Content.addLabel('TonerowEmail', 0, 0),
        Content.addLabel('TonerowCode', 0, 0)
    ];
    const var tonerowPanelNames = [
        Content.addLabel('TonerowKeyName', 0, 0),
        Content.addLabel('TonerowFirstName', 0, 0),
        Content.addLabel('TonerowLastName', 0, 0),
        Content.addLabel('TonerowEmailName', 0, 0),
        Content.addLabel('TonerowCodeName', 0, 0)
    ];
    const var tonerowPanelButtons = [
        Content.addButton('TonerowButton1', 0, 0),
        Content.addButton('TonerowButton2', 0, 0),
        Content.addButton('TonerowButton3', 0, 0),
        Content.addButton('TonerowButton4', 0, 0),
        Content.addButton('TonerowButton5', 0, 0),
        Content.addButton('TonerowButton6', 0, 0),
        Content.addButton('TonerowButton7', 0, 0),
        Content.addButton('TonerowButton8', 0, 0)
    ];
    const var tonerowPanelDrawing = Content.createLocalLookAndFeel();

    // HISE calls these back, and looks their arguments up in the whole script
    const var tonerowPanelCallbacks = {
        told: function(tonerowPanelUnlocked, tonerowPanelSaid) { told(tonerowPanelUnlocked, tonerowPanelSaid); },
        paint: function(tonerowPanelGraphics) { paint(tonerowPanelGraphics); },
        button: function(tonerowPanelGraphics, tonerowPanelDrawn) { drawButton(tonerowPanelGraphics, tonerowPanelDrawn); },
        machineFile: function(tonerowPanelMachineFile) { saveMachine(tonerowPanelMachineFile); },
        releaseFile: function(tonerowPanelReleaseFile) { saveRelease(tonerowPanelReleaseFile); },
        licenseFile: function(tonerowPanelLicenseFile) { Tonerow.readLicenseFile(tonerowPanelLicenseFile); }
    };

    /** Replaces a text of TonerowTexts.js, by its name there; before start. */
    inline function setText(name, text)
    {
        tonerowPanelTexts[name] = text;
    }

    /** "en", "de", "fr", "es" or "ja", for all computers; before start. */
    inline function setLanguage(language)
    {
        tonerowPanelData.language = language;
    }

    /** Where customers redeem serials and see their computers: a button of most screens; before start. */
    inline function setProductsPage(address)
    {
        tonerowPanelLook.productsPage = address;
    }

    inline function start(width, height)
    {
        if (tonerowPanelData.language == '')
            tonerowPanelData.language = languageHere();

        if (tonerowPanelLook.font == '')
            tonerowPanelLook.font = fontHere();

        tonerowPanelData.width = width;
        tonerowPanelData.height = height;
        prepare();
        tonerowPanelBack.setPaintRoutine(tonerowPanelCallbacks.paint);
        tonerowPanelButtons[0].setControlCallback(pressed1);
        tonerowPanelButtons[1].setControlCallback(pressed2);
        tonerowPanelButtons[2].setControlCallback(pressed3);
        tonerowPanelButtons[3].setControlCallback(pressed4);
        tonerowPanelButtons[4].setControlCallback(pressed5);
        tonerowPanelButtons[5].setControlCallback(pressed6);
        tonerowPanelButtons[6].setControlCallback(pressed7);
        tonerowPanelButtons[7].setControlCallback(pressed8);
        Tonerow.setCallback(tonerowPanelCallbacks.told);
        Tonerow.start();
        tonerowPanelFields[0].set('text', Tonerow.getLicenseKey());
    }

    /** Shows the form while the plugin is unlocked. */
    inline function open()
    {
        tonerowPanelData.isOpen = true;
        refresh();
    }

    // --- nothing below is called from outside

    inline function languageHere()
    {
        local name = '' + Engine.getSystemStats().DisplayLanguage;
        local language = name.substring(0, 2).toLowerCase();

        return isDefined(TonerowTexts.tonerowTextTable[language]) ? language : 'en';
    }

    /** What HISE draws with has no letters of Japanese. */
    inline function fontHere()
    {
        if (tonerowPanelData.language != 'ja')
            return 'Arial';

        local system = Engine.getOS();

        if (system == 'WIN')
            return 'Yu Gothic UI';

        return system == 'OSX' ? 'Hiragino Sans' : 'Noto Sans CJK JP';
    }

    /** The text with what is filled in; the longest last, because it is somebody else's. */
    inline function textFor(name)
    {
        local table = TonerowTexts.tonerowTextTable[tonerowPanelData.language];
        local text = isDefined(tonerowPanelTexts[name]) ? '' + tonerowPanelTexts[name] : '' + table[name];

        if (text.indexOf('{') < 0)
            return text;

        text = text.replace('{product}', tonerowPanelLook.productName);
        text = text.replace('{days}', '' + daysLeft());
        text = text.replace('{serial}', Tonerow.getMaskedKey());
        text = text.replace('{used}', '' + Tonerow.tonerowBridge.used);
        text = text.replace('{max}', '' + Tonerow.tonerowBridge.most);
        text = text.replace('{code}', Tonerow.getPage().code);
        text = text.replace('{address}', Tonerow.getPage().address);
        text = text.replace('{seat}', tonerowPanelData.seat.name);
        text = text.replace('{day}', dayFor(tonerowPanelData.seat.day));
        text = text.replace('{version}', Tonerow.getUpdate().version);
        return text.replace('{notes}', Tonerow.getUpdate().notes);
    }

    inline function daysLeft()
    {
        return Tonerow.hasBridge() ? Tonerow.tonerowBridge.days : Tonerow.getTrialDays();
    }

    /** A day for people; "2026-03-10" is the server's. HISE reads a number that begins with 0 as an octal one. */
    inline function dayFor(serversDay)
    {
        local parts = serversDay.split('-');
        local table = TonerowTexts.tonerowTextTable[tonerowPanelData.language];
        local months = isDefined(tonerowPanelTexts.months) ? tonerowPanelTexts.months : table.months;
        local names = months.split(',');
        local form = isDefined(tonerowPanelTexts.date) ? tonerowPanelTexts.date : table.date;
        local i = 1;

        while (parts.length == 3 && i <= names.length)
        {
            if (parts[1] == (i < 10 ? '0' + i : '' + i))
            {
                local day = parts[2].indexOf('0') == 0 ? parts[2].substring(1, 2) : parts[2];
                return form.replace('{number}', day).replace('{month}', names[i - 1].trim()).replace('{year}', parts[0]);
            }

            i = i + 1;
        }

        return serversDay;
    }

    inline function told(unlocked, message)
    {
        // what was just licensed needs no form
        if (tonerowPanelData.isWorking && unlocked)
            tonerowPanelData.wanted = '';

        tonerowPanelData.isWorking = false;
        refresh();
    }

    inline function screenNow()
    {
        local last = Tonerow.tonerowLast;

        if (Tonerow.getPage().address != '')
            return 'browser';

        if (tonerowPanelData.isWorking)
            return 'working';

        if (tonerowPanelData.wanted == 'seats_code' && Tonerow.tonerowSeats.areKnown)
            return 'seats';

        // it could not be given up
        if (tonerowPanelData.wanted == 'released' && Tonerow.getReleaseText() == '')
            tonerowPanelData.wanted = '';

        if (tonerowPanelData.wanted != '')
            return tonerowPanelData.wanted;

        if (last.notice == 'refused' && last.status == 'seat_limit')
            return 'seats_full';

        local kind = Tonerow.getScreen();

        if (kind == 'unlicensed')
            return 'welcome';

        return isDefined(tonerowPanelScreens[kind]) ? kind : 'ended';
    }

    inline function isActivating(screen)
    {
        return screen == 'welcome' || screen == 'moved' || screen == 'trial' || screen == 'trial_ended' || screen == 'ended' || screen == 'revoked';
    }

    inline function refresh()
    {
        local screen = screenNow();
        local isLocked = !Tonerow.isUnlocked();
        local message = screen == 'working' || screen == 'browser' || screen == 'error' ? '' : noticeText();

        tonerowPanelData.screen = screen;
        tonerowPanelData.actions = actionsOf(screen, message);
        tonerowPanelTitle.set('text', screen == 'working' ? textFor('working') : textFor(tonerowPanelScreens[screen] + 'Title'));
        tonerowPanelBody.set('text', bodyOf(screen));
        tonerowPanelMessage.set('text', message);
        layOut(screen, message != '');
        tonerowPanelBack.showControl(isLocked || tonerowPanelData.isOpen || screen == 'working' || screen == 'browser');
        tonerowPanelBack.repaint();
    }

    inline function bodyOf(screen)
    {
        if (screen == 'working')
            return '';

        if (screen == 'error')
            return noticeText() + '\n\n' + triedText();

        if (screen == 'seats' && Tonerow.getSeats().length == 0)
            return textFor('seatsNone');

        if (screen == 'licensed')
        {
            if (Tonerow.tonerowBridge.state == 'leased')
                return textFor('leasedBody');

            return textFor(Tonerow.hasBridge() ? 'detailsBody' : 'detailsHere');
        }

        if (screen == 'release' && Tonerow.isReleasable())
            return textFor('giveUpBody');

        if (isDefined(tonerowPanelBodies[screen]))
            return textFor(tonerowPanelBodies[screen]);

        return textFor(tonerowPanelScreens[screen] + 'Body');
    }

    /** In the customer's language where it is something that we know; otherwise as the server has it. */
    inline function noticeText()
    {
        local last = Tonerow.tonerowLast;

        if (tonerowPanelData.ownNotice != '')
            return textFor(tonerowPanelData.ownNotice);

        if (last.notice == 'refused')
            return refusalText(last);

        if (last.notice == 'unreachable' && Tonerow.tonerowBridge.https == 0)
            return textFor('noHttps');

        if (isDefined(tonerowPanelNotices[last.notice]))
            return textFor(tonerowPanelNotices[last.notice]);

        return troubleText();
    }

    /** What the node has besides: a license that could not be stored, or that was lost while the plugin runs. */
    inline function troubleText()
    {
        local node = Tonerow.tonerowBridge;

        if (node.store_problem == 'noPlace')
            return textFor('notStoredAnywhere');

        if (node.store_reason != '')
        {
            local reason = node.store_problem != '' ? textFor(node.store_problem) : node.store_reason;
            return textFor('notStored').replace('{reason}', reason).replace('{path}', node.store_path);
        }

        return node.finishing == 1 ? textFor('finishing') : '';
    }

    inline function refusalText(last)
    {
        // the screen itself shows it
        if (last.status == 'seat_limit')
            return '';

        // of the email's code, which the server does not distinguish from a wrong one
        if (last.status == 'code_expired' && Tonerow.tonerowSeats.isCodeSent)
            return textFor('refusedCode');

        local known = TonerowTexts.tonerowTextRefusals[last.status];
        return isDefined(known) ? textFor(known) : last.message;
    }

    /** Which server, what it answered, and when: for whoever helps. */
    inline function triedText()
    {
        local last = Tonerow.tonerowLast;
        local answer = last.http == 0 ? textFor('errorNoAnswer') : 'HTTP ' + last.http;
        local time = dayFor(last.at.substring(0, 10)) + ' ' + last.at.substring(11, 16);

        if (last.status != '')
            answer = answer + ', ' + last.status;

        local text = textFor('errorServer').replace('{host}', last.host) + '\n' + textFor('errorAnswer').replace('{answer}', answer)
            + '\n' + textFor('errorTime').replace('{time}', time);

        return last.request == '' ? text : text + '\n' + textFor('errorRequest').replace('{request}', last.request);
    }

    /** The names of texts, which are also those of what the buttons do. */
    inline function actionsOf(screen, message)
    {
        local actions = mainActionsOf(screen);
        local isBusy = screen == 'working' || screen == 'browser';

        if (!isBusy && screen != 'error' && message != '' && Tonerow.tonerowLast.at != '' && Tonerow.tonerowLast.notice != '')
            actions.push('errorDetails');

        if ((screen == 'licensed' || screen == 'trial' || screen == 'welcome') && Tonerow.getUpdate().version != '')
            actions.push('updateButton');

        if (!isBusy && screen != 'seats' && tonerowPanelLook.productsPage != '')
            actions.push('redeem');

        return actions;
    }

    inline function mainActionsOf(screen)
    {
        if (screen == 'welcome' && Tonerow.canStartTrial())
            return ['activate', 'paste', 'browser', 'startTrial', 'offline'];

        if (screen == 'trial')
            return ['done', 'activate', 'paste', 'browser', 'offline'];

        if (isActivating(screen))
            return ['activate', 'paste', 'browser', 'offline'];

        if (screen == 'licensed' && Tonerow.isReleasable())
            return ['done', 'browser', 'release', 'copyDiagnostics'];

        if (screen == 'licensed')
            return Tonerow.tonerowBridge.state == 'leased' ? ['done', 'browser', 'copyDiagnostics'] : ['done', 'release', 'copyDiagnostics'];

        if (screen == 'for_good')
            return ['done', 'copyDiagnostics'];

        if (screen == 'check_soon')
            return ['checkNow', 'offline', 'release', 'copyDiagnostics', 'done'];

        if (screen == 'check_due')
            return ['checkNow', 'offline', 'browser', 'copyDiagnostics'];

        if (screen == 'misconfigured')
            return ['copyDiagnostics'];

        if (screen == 'release')
            return ['back', 'release'];

        if (screen == 'released')
            return ['saveReleaseFile', 'copyReleaseFile', 'back'];

        if (screen == 'offline' && Tonerow.isReleased())
            return ['loadFile', 'pasteFile', 'saveMachineFile', 'saveReleaseFile', 'back'];

        if (screen == 'offline')
            return ['loadFile', 'pasteFile', 'saveMachineFile', 'back'];

        if (screen == 'working')
            return ['cancel'];

        if (screen == 'browser')
            return ['openBrowser', 'copyAddress', 'cancel'];

        if (screen == 'seats_full')
            return ['releaseAnother', 'tryAgain', 'offline', 'back'];

        if (screen == 'seats_code')
            return ['showSeats', 'sendAgain', 'back'];

        if (screen == 'seats')
            return seatActions();

        if (screen == 'confirm_seat')
            return ['back', 'releaseSeat'];

        if (screen == 'update')
            return ['openUpdate', 'back'];

        return ['tryAgain', 'copyDiagnostics', 'back'];
    }

    /** Four at a time. */
    inline function seatActions()
    {
        local count = Tonerow.getSeats().length;
        local actions = [];
        local i = tonerowPanelData.firstSeat < count ? tonerowPanelData.firstSeat : 0;

        tonerowPanelData.firstSeat = i;

        while (i < count && actions.length < 4)
        {
            actions.push('seat');
            i = i + 1;
        }

        if (count > 4)
            actions.push('more');

        if (count == 0)
            actions.push('tryAgain');

        actions.push('back');
        return actions;
    }

    inline function labelOf(action, index)
    {
        if (action == 'seat')
            tonerowPanelData.seat = Tonerow.getSeats()[tonerowPanelData.firstSeat + index];

        return textFor(action);
    }

    inline function pressed1(component, value)
    {
        if (value)
            act(0);
    }

    inline function pressed2(component, value)
    {
        if (value)
            act(1);
    }

    inline function pressed3(component, value)
    {
        if (value)
            act(2);
    }

    inline function pressed4(component, value)
    {
        if (value)
            act(3);
    }

    inline function pressed5(component, value)
    {
        if (value)
            act(4);
    }

    inline function pressed6(component, value)
    {
        if (value)
            act(5);
    }

    inline function pressed7(component, value)
    {
        if (value)
            act(6);
    }

    inline function pressed8(component, value)
    {
        if (value)
            act(7);
    }

    inline function act(index)
    {
        if (index >= tonerowPanelData.actions.length)
            return;

        local action = tonerowPanelData.actions[index];

        if (action == 'redeem')
            Engine.openWebsite(tonerowPanelLook.productsPage);
        else if (action == 'openBrowser')
            Engine.openWebsite(Tonerow.getPage().address);
        else if (action == 'copyAddress')
            Engine.copyToClipboard(Tonerow.getPage().address);
        else if (action == 'openUpdate')
            Engine.openWebsite(Tonerow.getUpdate().link);
        else if (action == 'copyDiagnostics')
            Engine.copyToClipboard(Tonerow.getDiagnostics());
        else if (action == 'paste' || action == 'pasteFile')
            paste(action);
        else if (action == 'saveMachineFile')
            FileSystem.browse(FileSystem.Desktop, true, '*.json', tonerowPanelCallbacks.machineFile);
        else if (action == 'saveReleaseFile')
            FileSystem.browse(FileSystem.Desktop, true, '*.txt', tonerowPanelCallbacks.releaseFile);
        else if (action == 'copyReleaseFile')
            Engine.copyToClipboard(Tonerow.getReleaseText());
        else if (action == 'loadFile')
            FileSystem.browse(FileSystem.Desktop, false, Tonerow.hasBridge() ? '*.txt;*.json' : '*.txt', tonerowPanelCallbacks.licenseFile);
        else if (action == 'cancel')
            cancel();
        else if (action == 'seat')
        {
            tonerowPanelData.seat = Tonerow.getSeats()[tonerowPanelData.firstSeat + index];
            go('confirm_seat');
        }
        else if (action == 'more')
        {
            tonerowPanelData.firstSeat = tonerowPanelData.firstSeat + 4;
            refresh();
        }
        else if (action == 'errorDetails')
        {
            tonerowPanelData.beforeError = tonerowPanelData.wanted;
            tonerowPanelData.wanted = 'error';
            refresh();
        }
        else if (action == 'updateButton')
            go('update');
        else if (action == 'offline' || (action == 'release' && tonerowPanelData.screen != 'release'))
            go(action);
        else if (action == 'release' && Tonerow.isReleasable())
            giveUp();
        else if (action == 'back')
            go(whereBack());
        else if (action == 'done')
        {
            tonerowPanelData.isOpen = false;
            go('');
        }
        else
            ask(action);
    }

    inline function whereBack()
    {
        if (tonerowPanelData.screen == 'error')
            return tonerowPanelData.beforeError;

        return tonerowPanelData.screen == 'confirm_seat' ? 'seats_code' : '';
    }

    inline function giveUp()
    {
        tonerowPanelData.wanted = 'released';
        tonerowPanelData.isWorking = true;
        tonerowPanelData.ownNotice = '';
        refresh();
        Tonerow.giveUp();
    }

    inline function go(screen)
    {
        // what its buttons save, asked for before they are pressed: the node answers later
        if (screen == 'offline')
            Tonerow.prepareMachineFile();

        if (screen == 'offline' && Tonerow.isReleased())
            Tonerow.giveUp();

        tonerowPanelData.wanted = screen;
        tonerowPanelData.ownNotice = '';
        Tonerow.forgetNotice();
        refresh();
    }

    inline function paste(action)
    {
        local text = Engine.getClipboardContent();
        text = text.trim();

        tonerowPanelData.ownNotice = text == '' ? 'nothingToPaste' : '';

        if (text == '' || action == 'paste')
        {
            Tonerow.forgetNotice();

            if (text != '')
                tonerowPanelFields[0].set('text', text);

            refresh();
        }
        else
            Tonerow.readLicenseText(text);
    }

    inline function saveMachine(file)
    {
        tonerowPanelData.ownNotice = Tonerow.writeMachineFile(file) ? '' : 'notSaved';
        refresh();
    }

    inline function saveRelease(file)
    {
        tonerowPanelData.ownNotice = Tonerow.writeReleaseFile(file) ? '' : 'notSaved';
        refresh();
    }

    inline function cancel()
    {
        tonerowPanelData.isWorking = false;
        Tonerow.cancel();
        refresh();
    }

    /** What the server has to answer; the callback ends the waiting. */
    inline function ask(action)
    {
        local isOfSeats = action == 'releaseAnother' || action == 'sendAgain' || action == 'showSeats' || action == 'releaseSeat';

        if (action == 'tryAgain' && tonerowPanelData.screen == 'error')
            tonerowPanelData.wanted = tonerowPanelData.beforeError;
        else
            tonerowPanelData.wanted = isOfSeats ? 'seats_code' : '';

        tonerowPanelData.isWorking = true;
        tonerowPanelData.ownNotice = '';
        refresh();

        if (action == 'activate' || (action == 'tryAgain' && tonerowPanelData.screen == 'seats'))
            Tonerow.activate(fieldText(0), fieldText(1), fieldText(2), fieldText(3));
        else if (action == 'tryAgain')
            Tonerow.tryAgain();
        else if (action == 'browser')
            Tonerow.signInByBrowser();
        else if (action == 'startTrial')
            Tonerow.startTrial();
        else if (action == 'checkNow')
            Tonerow.validate();
        else if (action == 'releaseAnother' || action == 'sendAgain')
            Tonerow.sendSeatsCode();
        else if (action == 'showSeats')
            Tonerow.listSeats(fieldText(4));
        else if (action == 'releaseSeat')
            Tonerow.releaseSeat(tonerowPanelData.seat.id);
        else
            Tonerow.deactivate();
    }

    inline function fieldText(index)
    {
        return '' + tonerowPanelFields[index].get('text');
    }

    // --- where everything is, and how it looks

    inline function prepare()
    {
        local i = 0;

        dress(tonerowPanelTitle, tonerowPanelLook.text);
        dress(tonerowPanelBody, tonerowPanelLook.quiet);
        dress(tonerowPanelMessage, tonerowPanelLook.warning);
        tonerowPanelTitle.set('multiline', false);

        while (i < tonerowPanelFields.length)
        {
            dress(tonerowPanelNames[i], tonerowPanelLook.quiet);
            dress(tonerowPanelFields[i], tonerowPanelLook.text);
            tonerowPanelFields[i].set('editable', true);
            tonerowPanelFields[i].set('multiline', false);
            tonerowPanelFields[i].set('bgColour', tonerowPanelLook.field);
            i = i + 1;
        }

        tonerowPanelNames[0].set('text', textFor('serial'));
        tonerowPanelNames[1].set('text', textFor('firstName'));
        tonerowPanelNames[2].set('text', textFor('lastName'));
        tonerowPanelNames[3].set('text', textFor('email'));
        tonerowPanelNames[4].set('text', textFor('code'));
        tonerowPanelDrawing.registerFunction('drawToggleButton', tonerowPanelCallbacks.button);
        i = 0;

        while (i < tonerowPanelButtons.length)
        {
            tonerowPanelButtons[i].set('parentComponent', 'TonerowBack');
            tonerowPanelButtons[i].set('isMomentary', true);
            tonerowPanelButtons[i].set('itemColour', i == 0 ? tonerowPanelLook.accent : tonerowPanelLook.field);
            tonerowPanelButtons[i].set('textColour', i == 0 ? tonerowPanelLook.onAccent : tonerowPanelLook.text);
            tonerowPanelButtons[i].setLocalLookAndFeel(tonerowPanelDrawing);
            i = i + 1;
        }
    }

    inline function dress(label, colour)
    {
        label.set('parentComponent', 'TonerowBack');
        label.set('editable', false);
        label.set('multiline', true);
        label.set('alignment', 'left');
        label.set('textColour', colour);
        label.set('fontName', tonerowPanelLook.font);
        label.set('fontSize', isSmall() ? 12 : 14);
        label.set('text', '');
    }

    inline function isSmall()
    {
        return tonerowPanelData.width < 400 || tonerowPanelData.height < 360;
    }

    /** A field of this number is shown: the node asks for no names. */
    inline function hasField(screen, index)
    {
        if (index == 4)
            return screen == 'seats_code';

        return isActivating(screen) && (index == 0 || index == 3 || !Tonerow.hasBridge());
    }

    /** From above: title, text, what was refused, fields, buttons. Where that is too high, fields and buttons have two columns. */
    inline function layOut(screen, hasMessage)
    {
        local small = isSmall();
        local edge = small ? 8 : 16;
        local width = tonerowPanelData.width;
        local height = tonerowPanelData.height;
        local column = width - 2 * edge > 420 ? 420 : width - 2 * edge;
        local left = (width - column) / 2;
        local head = small ? 20 : 28;
        local fields = fieldsHeight(screen);
        local count = tonerowPanelData.actions.length;
        local row = small ? 24 : 32;
        local least = screen == 'offline' || screen == 'error' || screen == 'update' || screen == 'browser' ? 5 * row : small ? 32 : 72;
        local isWide = screen == 'seats' || 2 * edge + head + least + fields + count * row <= height;
        local rows = isWide ? count : (count + count % 2) / 2;
        local text = height - 2 * edge - head - fields - rows * row;

        // in a large interface all stays together
        if (text > 160 && screen != 'update')
            text = 160;

        // what was refused takes the place of the body where there is no room for both
        local message = hasMessage ? small ? 44 : 52 : 0;
        local isCrowded = hasMessage && text < message + 36;
        local body = isCrowded ? 0 : text - message;

        tonerowPanelBack.setPosition(0, 0, width, height);
        tonerowPanelTitle.set('fontSize', small ? 15 : 20);
        tonerowPanelTitle.setPosition(left, edge, column, head);
        tonerowPanelBody.showControl(!isCrowded);
        placeQr(screen, left, edge + head, column, body);
        local side = qrSide();
        tonerowPanelBody.setPosition(left + side, edge + head, column - side, body);
        tonerowPanelMessage.showControl(hasMessage);
        tonerowPanelMessage.setPosition(left, edge + head + body, column, text - body);
        placeFields(screen, left, edge + head + text, column);
        placeButtons(isWide, left, edge + head + text + fields, column, row);
    }

    /** As large as it may be beside a text that is at least as wide. */
    inline function placeQr(screen, left, top, column, height)
    {
        local count = Tonerow.getPage().qr.length;
        local most = column / 2 < height ? column / 2 : height;

        tonerowPanelData.square = screen == 'browser' && count > 0 ? parseInt(most / (count + 8)) : 0;
        tonerowPanelData.qrLeft = left;
        tonerowPanelData.qrTop = top;

        // no camera reads it
        if (tonerowPanelData.square < 2)
            tonerowPanelData.square = 0;
    }

    /** With its margin and its distance to the text. */
    inline function qrSide()
    {
        if (tonerowPanelData.square == 0)
            return 0;

        return tonerowPanelData.square * (Tonerow.getPage().qr.length + 8) + 8;
    }

    inline function fieldsHeight(screen)
    {
        local count = 0;
        local i = 0;

        while (i < tonerowPanelFields.length)
        {
            if (hasField(screen, i))
                count = count + 1;

            i = i + 1;
        }

        // beside each other in pairs, each below its name; or one below the other, beside its name
        return isSmall() ? (count + count % 2) / 2 * 36 : count * 32;
    }

    inline function placeFields(screen, left, top, column)
    {
        local small = isSmall();
        local half = (column - 8) / 2;
        local shown = 0;
        local i = 0;

        while (i < tonerowPanelFields.length)
        {
            local isThere = hasField(screen, i);
            tonerowPanelFields[i].showControl(isThere);
            tonerowPanelNames[i].showControl(isThere);

            if (isThere && small)
            {
                local x = left + shown % 2 * (half + 8);
                local y = top + (shown - shown % 2) / 2 * 36;
                tonerowPanelNames[i].setPosition(x, y, half, 14);
                tonerowPanelFields[i].setPosition(x, y + 14, half, 20);
            }
            else if (isThere)
            {
                tonerowPanelNames[i].setPosition(left, top + shown * 32, column / 3, 26);
                tonerowPanelFields[i].setPosition(left + column / 3, top + shown * 32, column - column / 3, 26);
            }

            if (isThere)
                shown = shown + 1;

            i = i + 1;
        }
    }

    inline function placeButtons(isWide, left, top, column, row)
    {
        local half = (column - 8) / 2;
        local i = 0;

        while (i < tonerowPanelButtons.length)
        {
            local isThere = i < tonerowPanelData.actions.length;

            if (isThere)
            {
                local action = tonerowPanelData.actions[i];
                tonerowPanelButtons[i].set('text', labelOf(action, i));

                if (isWide)
                    tonerowPanelButtons[i].setPosition(left, top + i * row, column, row - 4);
                else
                    tonerowPanelButtons[i].setPosition(left + i % 2 * (half + 8), top + (i - i % 2) / 2 * row, half, row - 4);
            }

            tonerowPanelButtons[i].showControl(isThere);
            i = i + 1;
        }
    }

    inline function paint(g)
    {
        g.fillAll(tonerowPanelLook.background);

        if (tonerowPanelData.square > 0)
            paintQr(g);
    }

    /** Dark on light in every look, as cameras want it. */
    inline function paintQr(g)
    {
        local rows = Tonerow.getPage().qr;
        local square = tonerowPanelData.square;
        local x = tonerowPanelData.qrLeft;
        local y = tonerowPanelData.qrTop;
        local row = 0;

        g.setColour(0xFFFFFFFF);
        g.fillRect([x, y, square * (rows.length + 8), square * (rows.length + 8)]);
        g.setColour(0xFF000000);

        while (row < rows.length)
        {
            local column = 0;

            while (column < rows.length)
            {
                if (rows[row].substring(column, column + 1) == '1')
                    g.fillRect([x + square * (column + 4), y + square * (row + 4), square, square]);

                column = column + 1;
            }

            row = row + 1;
        }
    }

    inline function drawButton(g, button)
    {
        g.setColour(button.itemColour1);
        g.fillRoundedRectangle(button.area, 4.0);
        g.setColour(button.textColour);
        g.setFont(tonerowPanelLook.font, isSmall() ? 12.0 : 14.0);
        g.drawFittedText(button.text, button.area, 'centred', 2, 0.7);
    }
}
