// SPDX-License-Identifier: ISC
/*  A ready license form for {{PRODUCT_NAME}}, with every screen, over Tonerow.js.

    Put both files into your project's Scripts folder, and in onInit, after Content.makeFrontInterface:

        include("Tonerow.js");
        include("TonerowPanel.js");

        TonerowPanel.start(600, 400);      // the size of your interface: it lies over all of it while the plugin is locked

    With an unlocker, call Tonerow.setUnlocker(Engine.createLicenseUnlocker()) before TonerowPanel.start(); with the node in C++,
    Tonerow.setBridge(Engine.getGlobalRoutingManager()). To show it again, as from
    a "License" button of yours, call TonerowPanel.open(). Every text can be replaced, before start:

        TonerowPanel.setText("welcomeTitle", "Willkommen");

    and your customers' page can have a button:

        TonerowPanel.setProductsPage("https://licenses.example.com/redeem?dev=ID");

    Colors are in tonerowPanelLook. Nothing else of yours is touched: all components begin with "Tonerow".
*/

namespace TonerowPanel
{
    const var tonerowPanelLook = {
        background: 0xFF15181D,
        text: 0xFFF2F4F7,
        quiet: 0xFFAEB6C2,
        accent: 0xFF2DD4BF,
        warning: 0xFFFBBF24,
        field: 0xFF22272F,
        // customers redeem serials and see their computers there, such as your redemption page; empty for no button
        productsPage: ''
    };

    const var tonerowPanelTexts = {
        welcomeTitle: 'Activate {{PRODUCT_NAME}}',
        welcomeBody: 'Enter your license key, your name and your email address.',
        movedTitle: 'Activated on another computer',
        movedBody: 'Or this one has a new id after an update. Activating the same license key moves its seat, and takes no second one.',
        workingTitle: 'One moment...',
        licensedTitle: '{{PRODUCT_NAME}} is licensed',
        licensedBody: 'This computer has a seat.',
        trialTitle: 'Trial, days left: DAYS',
        trialBody: 'Enter a license key to keep {{PRODUCT_NAME}}.',
        trial_endedTitle: 'The trial has ended',
        trial_endedBody: 'Enter a license key to keep using {{PRODUCT_NAME}}.',
        check_dueTitle: 'The license has to be checked',
        check_dueBody: 'Connect this computer to the internet, then check again.',
        endedTitle: 'This license has ended',
        endedBody: 'Ask the maker of {{PRODUCT_NAME}}, or enter another license key.',
        releaseTitle: 'Release this computer?',
        releaseBody: '{{PRODUCT_NAME}} stops working here, and can be activated on another computer.',
        offlineTitle: 'Without internet',
        offlineBody: 'Save the machine file, exchange it for a license file on the page of your products, and load that file here.',
        key: 'License key',
        first: 'First name',
        last: 'Last name',
        email: 'Email address',
        activate: 'Activate',
        startTrial: 'Start trial',
        offline: 'No internet here',
        saveMachine: 'Save machine file',
        loadLicense: 'Load license file',
        checkNow: 'Check now',
        release: 'Release this computer',
        products: 'My products',
        back: 'Back',
        done: 'Continue'
    };

    const var tonerowPanelData = { screen: '', wanted: '', message: '', isWorking: false, isOpen: false, actions: [] };

    const var tonerowPanelBack = Content.addPanel('TonerowBack', 0, 0);
    const var tonerowPanelTitle = Content.addLabel('TonerowTitle', 0, 0);
    const var tonerowPanelBody = Content.addLabel('TonerowBody', 0, 0);
    const var tonerowPanelMessage = Content.addLabel('TonerowMessage', 0, 0);
    const var tonerowPanelFields = [
        Content.addLabel('TonerowKey', 0, 0),
        Content.addLabel('TonerowFirst', 0, 0),
        Content.addLabel('TonerowLast', 0, 0),
        Content.addLabel('TonerowEmail', 0, 0)
    ];
    const var tonerowPanelNames = [
        Content.addLabel('TonerowKeyName', 0, 0),
        Content.addLabel('TonerowFirstName', 0, 0),
        Content.addLabel('TonerowLastName', 0, 0),
        Content.addLabel('TonerowEmailName', 0, 0)
    ];
    const var tonerowPanelButtons = [
        Content.addButton('TonerowButton1', 0, 0),
        Content.addButton('TonerowButton2', 0, 0),
        Content.addButton('TonerowButton3', 0, 0),
        Content.addButton('TonerowButton4', 0, 0)
    ];

    // HISE calls these back, and looks their arguments up in the whole script
    const var tonerowPanelCallbacks = {
        told: function(tonerowPanelUnlocked, tonerowPanelSaid) { told(tonerowPanelUnlocked, tonerowPanelSaid); },
        paint: function(tonerowPanelGraphics) { paint(tonerowPanelGraphics); },
        machineFile: function(tonerowPanelMachineFile) { Tonerow.writeMachineFile(tonerowPanelMachineFile); },
        licenseFile: function(tonerowPanelLicenseFile) { Tonerow.readLicenseFile(tonerowPanelLicenseFile); }
    };

    /** Replaces a text; before start. */
    inline function setText(name, text)
    {
        tonerowPanelTexts[name] = text;
    }

    /** Where customers redeem serials and see their computers: a button of most screens; before start. */
    inline function setProductsPage(address)
    {
        tonerowPanelLook.productsPage = address;
    }

    inline function start(width, height)
    {
        place(width, height);
        tonerowPanelBack.setPaintRoutine(tonerowPanelCallbacks.paint);
        tonerowPanelButtons[0].setControlCallback(pressedFirst);
        tonerowPanelButtons[1].setControlCallback(pressedSecond);
        tonerowPanelButtons[2].setControlCallback(pressedThird);
        tonerowPanelButtons[3].setControlCallback(pressedFourth);
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

    inline function told(unlocked, message)
    {
        // what was just licensed needs no form
        if (tonerowPanelData.isWorking && unlocked)
            tonerowPanelData.wanted = '';

        tonerowPanelData.isWorking = false;
        tonerowPanelData.message = message;
        refresh();
    }

    inline function screenNow()
    {
        if (tonerowPanelData.isWorking)
            return 'working';

        if (tonerowPanelData.wanted != '')
            return tonerowPanelData.wanted;

        local kind = Tonerow.getKind();

        if (kind == 'unlicensed')
            return 'welcome';

        if (kind == 'licensed' || kind == 'trial' || kind == 'trial_ended' || kind == 'check_due' || kind == 'moved')
            return kind;

        return 'ended';
    }

    inline function refresh()
    {
        local screen = screenNow();
        local isLocked = !Tonerow.isUnlocked();
        local hasFields = screen == 'welcome' || screen == 'moved' || screen == 'trial' || screen == 'trial_ended' || screen == 'ended';
        local title = tonerowPanelTexts[screen + 'Title'];

        tonerowPanelData.screen = screen;
        tonerowPanelData.actions = actionsOf(screen);
        tonerowPanelTitle.set('text', title.replace('DAYS', '' + Tonerow.getTrialDays()));
        tonerowPanelBody.set('text', screen == 'working' ? '' : tonerowPanelTexts[screen + 'Body']);
        tonerowPanelMessage.set('text', messageFor(screen));
        show(tonerowPanelFields, hasFields);
        show(tonerowPanelNames, hasFields);
        hideNames();
        showButtons();
        tonerowPanelBack.showControl(isLocked || tonerowPanelData.isOpen || screen == 'working');
        tonerowPanelBack.repaint();
    }

    /** That it is locked is what the screen shows already; why it was not checked is not. */
    inline function messageFor(screen)
    {
        if (screen == 'working' || screen == 'release')
            return '';

        if (tonerowPanelData.message != Tonerow.tonerowTexts.locked)
            return tonerowPanelData.message;

        return screen == 'check_due' ? Tonerow.tonerowState.last_error : '';
    }

    /** The names of texts, which are also those of what the buttons do. */
    inline function actionsOf(screen)
    {
        if (screen == 'welcome' && Tonerow.canStartTrial())
            return ['activate', 'startTrial', 'offline', 'products'];

        if (screen == 'licensed')
            return ['done', 'release', 'products'];

        if (screen == 'check_due')
            return ['checkNow', 'offline', 'products'];

        if (screen == 'release')
            return ['back', 'release'];

        if (screen == 'offline')
            return ['loadLicense', 'saveMachine', 'back'];

        if (screen == 'working')
            return [];

        if (screen == 'trial')
            return ['done', 'activate', 'offline', 'products'];

        return ['activate', 'offline', 'products'];
    }

    inline function show(components, shouldShow)
    {
        local i = 0;

        while (i < components.length)
        {
            components[i].showControl(shouldShow);
            i = i + 1;
        }
    }

    /** The node asks for no names. */
    inline function hideNames()
    {
        if (Tonerow.hasBridge())
        {
            tonerowPanelFields[1].showControl(false);
            tonerowPanelFields[2].showControl(false);
            tonerowPanelNames[1].showControl(false);
            tonerowPanelNames[2].showControl(false);
        }
    }

    inline function showButtons()
    {
        local i = 0;

        while (i < tonerowPanelButtons.length)
        {
            local action = i < tonerowPanelData.actions.length ? tonerowPanelData.actions[i] : '';
            local isThere = action != '' && (action != 'products' || tonerowPanelLook.productsPage != '');

            if (isThere)
                tonerowPanelButtons[i].set('text', tonerowPanelTexts[action]);

            tonerowPanelButtons[i].showControl(isThere);
            i = i + 1;
        }
    }

    inline function pressedFirst(component, value)
    {
        if (value)
            act(0);
    }

    inline function pressedSecond(component, value)
    {
        if (value)
            act(1);
    }

    inline function pressedThird(component, value)
    {
        if (value)
            act(2);
    }

    inline function pressedFourth(component, value)
    {
        if (value)
            act(3);
    }

    inline function act(index)
    {
        if (index >= tonerowPanelData.actions.length)
            return;

        local action = tonerowPanelData.actions[index];

        if (action == 'products')
            Engine.openWebsite(tonerowPanelLook.productsPage);
        else if (action == 'saveMachine')
            FileSystem.browse(FileSystem.Desktop, true, '*.json', tonerowPanelCallbacks.machineFile);
        else if (action == 'loadLicense')
            FileSystem.browse(FileSystem.Desktop, false, Tonerow.hasBridge() ? '*.txt;*.json' : '*.txt', tonerowPanelCallbacks.licenseFile);
        else if (action == 'offline' || (action == 'release' && tonerowPanelData.screen != 'release'))
            go(action);
        else if (action == 'back')
            go('');
        else if (action == 'done')
        {
            tonerowPanelData.isOpen = false;
            go('');
        }
        else
            ask(action);
    }

    inline function go(screen)
    {
        tonerowPanelData.wanted = screen;
        tonerowPanelData.message = '';
        refresh();
    }

    /** What the server has to answer; the callback ends the waiting. */
    inline function ask(action)
    {
        tonerowPanelData.isWorking = true;
        tonerowPanelData.wanted = '';
        refresh();

        if (action == 'activate')
            Tonerow.activate(textOf(0), textOf(1), textOf(2), textOf(3));
        else if (action == 'startTrial')
            Tonerow.startTrial();
        else if (action == 'checkNow')
            Tonerow.validate();
        else
            Tonerow.deactivate();
    }

    inline function textOf(index)
    {
        return '' + tonerowPanelFields[index].get('text');
    }

    inline function place(width, height)
    {
        local column = width - 48 > 420 ? 420 : width - 48;
        local left = (width - column) / 2;
        local i = 0;

        tonerowPanelBack.setPosition(0, 0, width, height);
        tonerowPanelTitle.setPosition(left, 16, column, 28);
        tonerowPanelBody.setPosition(left, 46, column, 40);
        tonerowPanelMessage.setPosition(left, 88, column, 36);
        dress(tonerowPanelTitle, tonerowPanelLook.text, 20);
        dress(tonerowPanelBody, tonerowPanelLook.quiet, 14);
        dress(tonerowPanelMessage, tonerowPanelLook.warning, 14);

        while (i < tonerowPanelFields.length)
        {
            tonerowPanelNames[i].setPosition(left, 128 + i * 32, column / 3, 26);
            tonerowPanelFields[i].setPosition(left + column / 3, 128 + i * 32, column - column / 3, 26);
            dress(tonerowPanelNames[i], tonerowPanelLook.quiet, 14);
            dress(tonerowPanelFields[i], tonerowPanelLook.text, 14);
            tonerowPanelFields[i].set('editable', true);
            tonerowPanelFields[i].set('multiline', false);
            tonerowPanelFields[i].set('bgColour', tonerowPanelLook.field);
            i = i + 1;
        }

        tonerowPanelNames[0].set('text', tonerowPanelTexts.key);
        tonerowPanelNames[1].set('text', tonerowPanelTexts.first);
        tonerowPanelNames[2].set('text', tonerowPanelTexts.last);
        tonerowPanelNames[3].set('text', tonerowPanelTexts.email);
        i = 0;

        while (i < tonerowPanelButtons.length)
        {
            tonerowPanelButtons[i].setPosition(left, 264 + i * 32, column, 28);
            tonerowPanelButtons[i].set('parentComponent', 'TonerowBack');
            tonerowPanelButtons[i].set('isMomentary', true);
            tonerowPanelButtons[i].set('itemColour', tonerowPanelLook.accent);
            i = i + 1;
        }
    }

    inline function dress(label, colour, size)
    {
        label.set('parentComponent', 'TonerowBack');
        label.set('editable', false);
        label.set('multiline', true);
        label.set('textColour', colour);
        label.set('fontSize', size);
        label.set('text', '');
    }

    inline function paint(g)
    {
        g.fillAll(tonerowPanelLook.background);
    }
}
