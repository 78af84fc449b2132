// SPDX-License-Identifier: ISC
/*  Licensing of {{PRODUCT_NAME}} with Tonerow, for HISE.

    Put this file into your project's Scripts folder, and in onInit:

        include("Tonerow.js");

        Tonerow.setCallback(function(unlocked, message)
        {
            Panel.set("visible", !unlocked);
            Label.set("text", message);
        });

        Tonerow.start();

    TonerowPanel.js is a ready form with every screen over this script; TonerowTexts.js has its texts. Without it, call Tonerow.activate(licenseKey, firstName, lastName, email) from your Activate button and Tonerow.deactivate()
    from your Deactivate button. Everything works in the background; the callback is called when there is news.

    To have HISE itself mute a plugin that is not unlocked, put RSA.xml (from the dashboard: Tools, HISE) into the project,
    copy its PublicKey into rsaPublicKey below, and before Tonerow.start() call

        Tonerow.setUnlocker(Engine.createLicenseUnlocker());

    Without that, the license state is a readable file: it keeps honest people honest, and no more. With it, a revoked
    license or one that was not checked for graceDays takes the key file away, and HISE mutes the plugin from its next
    start on. A key file that expires stays shut until the server has signed the time: Tonerow.start() asks for that, and
    while the server is away it uses the newest signed time and the computer's clock.

    A computer without network needs the unlocker and rsaPublicKey too. One button writes its machine file, and another
    reads the license file that the owner gets in exchange:

        FileSystem.browse(FileSystem.Desktop, true, "*.json", Tonerow.writeMachineFile);
        FileSystem.browse(FileSystem.Desktop, false, "*.txt", Tonerow.readLicenseFile);

    A C++ node can take the place of the unlocker: `tonerow plugin new --hise --bridge` writes it. Then the license is checked in
    C++ and not here, every answer of the server is verified, and sound comes from the first block on. Before Tonerow.start():

        Tonerow.setBridge(Engine.getGlobalRoutingManager());

    Encrypted expansions open for one license: give the script HISE's handler before Tonerow.start(), and install a downloaded
    .hxi file once Tonerow.canInstallExpansions():

        const var expansions = Engine.createExpansionHandler();
        expansions.setAllowedExpansionTypes([expansions.Encrypted]);
        Tonerow.setExpansionHandler(expansions);

        expansions.encodeWithCredentials(hxiFile);

    This is HiseScript, not JavaScript. If you change it: === and !== compare number types (a status from the server is
    never === 200), ! is wrong for texts and for values that were never set, && and || have the same precedence, and an
    inline function must not call itself, not even from the arguments of its own call.
*/

namespace Tonerow
{
    const var tonerowSettings = {
        baseURL: '{{TONEROW_URL}}',
        appId: '{{DEVELOPER_ID}}',
        appKey: '{{PLUGIN_KEY}}',
        productId: '{{PRODUCT_ID}}',
        // PublicKey from RSA.xml: verifies what the server signed. Without it, key files that expire are never opened.
        rsaPublicKey: '{{RSA_PUBLIC_KEY}}',
        // how long the plugin keeps working without the network
        graceDays: 30,
        // how often it asks the server, at most
        checkHours: 24,
        // whether it looks for a newer version once a day; setLooksForUpdates changes it
        looksForUpdates: false
    };

    // what is stored in license.json; key_file is HISE's key file while the license is not good here
    const var tonerowState = {
        license_key: '',
        instance_id: '',
        token: '',
        last_ok: 0,
        last_error: '',
        signed_time: '',
        key_file: '',
        // the file of an unlock for good
        unlock: '',
        // what ended the license here, such as 'revoked'; and until when a trial lasts, in milliseconds
        ended: '',
        trial_ends: 0,
        // what HISE's expansions were installed under: the same on all computers of the license
        expansion_serial: '',
        expansion_key: '',
        // the newer version that was found, the one that asked, and when
        update_version: '',
        update_notes: '',
        update_link: '',
        update_from: '',
        update_asked: 0
    };

    const var tonerowData = {
        unlocker: 0,
        expansions: 0,
        expansionKeyAsked: false,
        onChange: 0,
        wantedKey: '',
        // what was entered with it
        wantedNames: { first: '', last: '', email: '' },
        askedWith: '',
        // what is stored for another id: this computer's, before an update of its system, or a copy from elsewhere
        oldKey: '',
        oldId: '',
        // the newest time that the server signed, and how far it is ahead of this computer's clock
        signedTime: 0,
        serverAhead: 0,
        // of the key file that HISE has: when it expires, or 0; whether it has; and its token if it is a license file
        keyFileEnd: 0,
        keyFileEnded: false,
        leaseToken: '',
        isForGood: false
    };

    // what was refused or failed last, by the same names as the core's: nothing of it is a serial or a name
    const var tonerowLast = {
        notice: '',
        status: '',
        message: '',
        what: '',
        host: '',
        http: 0,
        request: '',
        at: '',
        // the node's words for support
        diagnostics: ''
    };

    // the page on which the owner confirms this computer, and how often the server is asked whether that was done
    const var tonerowBrowser = { address: '', code: '', qr: [], deviceCode: '', interval: 5, until: 0, isAsking: false, skips: 0 };

    // the computers of a license: by a code from the owner's email, or by the page that the owner confirmed
    const var tonerowSeats = { isCodeSent: false, areKnown: false, list: [], emailCode: '', confirmed: '', wanted: '' };

    // what the node has told, and its cables; the license is the node's then, and nothing of tonerowState decides
    const var tonerowBridge = {
        asks: 0,
        tells: 0,
        isTold: false,
        isAsked: false,
        ticks: 0,
        unlocked: 0,
        state: '',
        notice: '',
        status: '',
        message: '',
        days: 0,
        serial: '',
        used: 0,
        most: 0,
        machine_id: '',
        machine_file: '',
        // whether the license file can be given up, or was, and what its owner needs then
        releasable: 0,
        released: 0,
        release_file: '',
        // lost, but this session goes on; whether it can be reached by HTTPS at all; and why nothing was stored
        finishing: 0,
        https: 1,
        store_path: '',
        store_reason: '',
        store_problem: ''
    };

    const var tonerowTexts = {
        missingKey: 'Please fill license key and email.',
        missing: 'Please fill first name, last name, email, and license key.',
        locked: 'License invalid or missing. Please activate.',
        otherFile: 'This is not a license file for this plugin on this computer.',
        expiredFile: 'This license file has expired. Please create a new one.',
        longerFile: 'A license file that ends later is in use.',
        spentFile: 'This license file was released, or is for another machine file. Save a new machine file, and get a new one for it.',
        unreachable: 'The license server could not be reached.',
        notGenuine: 'This was not the license server\'s answer.',
        busyServer: 'The license server is busy. Try again in a minute.',
        unknownPlugin: 'The license server does not know this plugin.',
        wrongClock: 'The clock of this computer is wrong.'
    };

    const var tonerowFile = FileSystem.getFolder(FileSystem.AppData).getChildFile('license.json');
    // with a node, which takes over what is in the other file
    const var tonerowBridgeFile = FileSystem.getFolder(FileSystem.AppData).getChildFile('license-node.json');
    const var tonerowTimer = Engine.createTimerObject();
    const var tonerowBrowserTimer = Engine.createTimerObject();

    // HISE calls these back. HISE looks up argument names in the whole script, so these must be unique.
    const var tonerowCallbacks = {
        hour: function() { hour(); },
        timed: function(tonerowStatus, tonerowResponse) { timed(tonerowStatus, tonerowResponse); },
        activated: function(tonerowStatus, tonerowResponse) { activated(tonerowStatus, tonerowResponse); },
        renewed: function(tonerowStatus, tonerowResponse) { renewed(tonerowStatus, tonerowResponse); },
        validated: function(tonerowStatus, tonerowResponse) { validated(tonerowStatus, tonerowResponse); },
        deactivated: function(tonerowStatus, tonerowResponse) { deactivated(tonerowStatus, tonerowResponse); },
        trialed: function(tonerowStatus, tonerowResponse) { trialed(tonerowStatus, tonerowResponse); },
        opened: function(tonerowStatus, tonerowResponse) { opened(tonerowStatus, tonerowResponse); },
        paged: function(tonerowStatus, tonerowResponse) { paged(tonerowStatus, tonerowResponse); },
        confirmed: function(tonerowStatus, tonerowResponse) { confirmed(tonerowStatus, tonerowResponse); },
        reclaimed: function(tonerowStatus, tonerowResponse) { reclaimed(tonerowStatus, tonerowResponse); },
        codeSent: function(tonerowStatus, tonerowResponse) { codeSent(tonerowStatus, tonerowResponse); },
        seatsListed: function(tonerowStatus, tonerowResponse) { seatsListed(tonerowStatus, tonerowResponse); },
        seatReleased: function(tonerowStatus, tonerowResponse) { seatReleased(tonerowStatus, tonerowResponse); },
        updateFound: function(tonerowStatus, tonerowResponse) { updateFound(tonerowStatus, tonerowResponse); },
        askBrowser: function() { askBrowser(); },
        bridged: function(tonerowTold) { bridged(tonerowTold); },
        tick: function() { tickBridge(); }
    };

    /** Called with (unlocked, message) whenever the license may have changed. The message is empty when all is well. */
    inline function setCallback(callback)
    {
        tonerowData.onChange = callback;
    }

    /** Has HISE mute the plugin: Engine.createLicenseUnlocker(). */
    inline function setUnlocker(unlocker)
    {
        tonerowData.unlocker = unlocker;
    }

    /** Leaves the license to the node tonerow_gate: Engine.getGlobalRoutingManager(). Not together with an unlocker, which HISE would mute. */
    inline function setBridge(routingManager)
    {
        tonerowBridge.asks = routingManager.getCable('TonerowAsk');
        tonerowBridge.tells = routingManager.getCable('TonerowTell');
    }

    /** Whether the node has the license. */
    inline function hasBridge()
    {
        if (tonerowBridge.asks)
            return true;

        return false;
    }

    /** Opens the encrypted expansions of the license: Engine.createExpansionHandler(). */
    inline function setExpansionHandler(expansionHandler)
    {
        tonerowData.expansions = expansionHandler;
    }

    /** Whether expansionHandler.encodeWithCredentials() would install an expansion for this license. */
    inline function canInstallExpansions()
    {
        if (tonerowData.expansions && isGood())
            return tonerowState.expansion_key != '';

        return false;
    }

    /** Reads what is stored, reports whether the plugin is unlocked, and asks the server when it is time. */
    inline function start()
    {
        if (hasBridge())
        {
            tonerowBridge.tells.registerDataCallback(tonerowCallbacks.bridged);
            tonerowTimer.setTimerCallback(tonerowCallbacks.tick);
            tonerowTimer.startTimer(500);
            askBridge(['hello']);
            return;
        }

        load();
        readKeyFile();
        tonerowBrowserTimer.setTimerCallback(tonerowCallbacks.askBrowser);
        hour();
        tonerowTimer.setTimerCallback(tonerowCallbacks.hour);
        tonerowTimer.startTimer(3600000);
    }

    /** Whether the plugin may play. With an unlocker that is what HISE itself does. */
    inline function isUnlocked()
    {
        if (hasBridge())
            return tonerowBridge.unlocked == 1;

        if (tonerowData.unlocker)
            return isGood() && isOpen();

        return isGood() || isInTrial();
    }

    /**
     * What there is to show: 'licensed', 'trial', 'trial_ended', 'revoked' and other statuses that ended the license, 'check_due' when the
     * server has to be asked, 'moved' when the license is another computer's or this one's before an update, or 'unlicensed'.
     */
    inline function getKind()
    {
        if (hasBridge())
            return bridgeKind();

        if (isUnlocked())
            return isGood() ? 'licensed' : 'trial';

        if (tonerowState.ended != '')
            return tonerowState.ended;

        if (tonerowState.token != '')
            return 'check_due';

        if (tonerowState.trial_ends > 0)
            return 'trial_ended';

        return tonerowData.oldKey != '' ? 'moved' : 'unlicensed';
    }

    /** The same for a form: also 'for_good', and 'check_soon' and 'misconfigured', which only the node knows. */
    inline function getScreen()
    {
        if (tonerowData.isForGood)
            return 'for_good';

        if (tonerowBridge.state == 'for_good' || tonerowBridge.state == 'check_soon' || tonerowBridge.state == 'misconfigured')
            return tonerowBridge.state;

        return getKind();
    }

    /** The license key that is in use, for people: its end. */
    inline function getMaskedKey()
    {
        if (hasBridge())
            return tonerowBridge.serial;

        local length = tonerowState.license_key.length;

        return length > 4 ? '…' + tonerowState.license_key.substring(length - 4, length) : '';
    }

    /** HISE itself has no trials: with an unlocker, only a key file opens the plugin. */
    inline function canStartTrial()
    {
        if (tonerowData.unlocker)
            return false;

        return true;
    }

    /** Days that are left of a trial; the last one counts. */
    inline function getTrialDays()
    {
        if (hasBridge())
            return tonerowBridge.state == 'trial' ? tonerowBridge.days : 0;

        if (!isInTrial())
            return 0;

        return parseInt('' + (tonerowState.trial_ends - now() + 86399999) / 86400000);
    }

    /** The license key that is stored here, to show it or to activate again. */
    inline function getLicenseKey()
    {
        return tonerowState.license_key != '' ? tonerowState.license_key : tonerowData.oldKey;
    }

    /** Starts the product's trial on this computer. */
    inline function startTrial()
    {
        if (hasBridge())
        {
            begin(['trial']);
            return;
        }

        post('api/license/v1/trial', {
            machine_id: FileSystem.getSystemId(),
            product_id: tonerowSettings.productId,
            version: Engine.getVersion()
        }, tonerowCallbacks.trialed);
    }

    inline function activate(licenseKey, firstName, lastName, email)
    {
        local wanted = licenseKey.trim();

        if (hasBridge())
        {
            activateBridge(wanted, email.trim());
            return;
        }

        if (wanted == '' || firstName.trim() == '' || lastName.trim() == '' || email.trim() == '')
        {
            note('missing');
            tell(tonerowTexts.missing);
            return;
        }

        // another license has other computers
        if (wanted != tonerowData.wantedKey)
            forgetSeats();

        tonerowData.wantedKey = wanted;
        tonerowData.wantedNames = { first: firstName.trim(), last: lastName.trim(), email: email.trim() };
        sendActivation();
    }

    inline function sendActivation()
    {
        post('api/license/activate', {
            key: tonerowData.wantedKey,
            instance_id: FileSystem.getSystemId(),
            // the seat moves from this computer's old id to its new one
            old_instance_ids: tonerowData.wantedKey == tonerowData.oldKey ? tonerowData.oldId : '',
            product_id: tonerowSettings.productId,
            device_label: Engine.getSystemStats().ComputerName,
            app: Engine.getName(),
            plugin_version: Engine.getVersion(),
            first_name: tonerowData.wantedNames.first,
            last_name: tonerowData.wantedNames.last,
            email: tonerowData.wantedNames.email
        }, tonerowCallbacks.activated);
    }

    /**
     * Has the owner confirm this computer in a browser, here or on a phone: the callback is called when getPage() has the address and the
     * code to show, and again when it was answered there. No license key is typed.
     */
    inline function signInByBrowser()
    {
        if (hasBridge())
        {
            begin(['browser']);
            return;
        }

        stopBrowsing();
        forgetSeats();
        tonerowBrowser.isAsking = true;

        post('api/license/v1/device', {
            machine_id: FileSystem.getSystemId(),
            // a seat of this computer's old id moves to the new one
            old_machine_ids: tonerowData.oldId,
            product_id: tonerowSettings.productId,
            version: Engine.getVersion(),
            label: Engine.getSystemStats().ComputerName,
            os: Engine.getSystemStats().OperatingSystemName
        }, tonerowCallbacks.paged);
    }

    /** What to show while the owner is asked: { address, code }. The address is empty when nobody is. */
    inline function getPage()
    {
        return { address: tonerowBrowser.address, code: tonerowBrowser.code, qr: tonerowBrowser.qr };
    }

    /** No longer waits for the owner. */
    inline function cancel()
    {
        if (hasBridge())
        {
            begin(['cancel']);
            return;
        }

        stopBrowsing();
        forgetNotice();
        tellNow();
    }

    /**
     * When all seats are taken: emails a code to the owner of the license key that was entered last, or that is in use. After the owner has
     * confirmed a page, no code is needed, and the computers are listed at once.
     */
    inline function sendSeatsCode()
    {
        if (hasBridge())
            begin(['seats_code']);
        else if (tonerowSeats.confirmed != '')
            askSeats();
        else
            post('api/license/v1/seats/code', aboutSeats(), tonerowCallbacks.codeSent);
    }

    /** The computers of the license, with the code from the email; then getSeats() has them. */
    inline function listSeats(code)
    {
        if (hasBridge())
        {
            begin(['seats', code]);
            return;
        }

        tonerowSeats.emailCode = code.trim();
        askSeats();
    }

    /** Each as { id, name, day }. */
    inline function getSeats()
    {
        return tonerowSeats.list;
    }

    /** Releases one of the computers, and activates this one if it is locked. */
    inline function releaseSeat(id)
    {
        if (hasBridge())
        {
            begin(['seat_release', id]);
            return;
        }

        tonerowSeats.wanted = id;
        local about = withProof();
        about.seat_id = id;
        post('api/license/v1/seats/release', about, tonerowCallbacks.seatReleased);
    }

    /** Whether the script looks for a newer version once a day; before start. */
    inline function setLooksForUpdates(shouldLook)
    {
        tonerowSettings.looksForUpdates = shouldLook;
    }

    /** Looks for a newer version now. A failure is not spoken of. */
    inline function lookForUpdate()
    {
        tonerowState.update_asked = Date.getSystemTimeMs();

        if (hasBridge())
        {
            askBridge(['update']);
            return;
        }

        address();
        Server.callWithGET('api/license/v1/updates', {
            product_id: tonerowSettings.productId,
            version: Engine.getVersion(),
            os: Engine.getSystemStats().OperatingSystemName
        }, tonerowCallbacks.updateFound);
    }

    /** The newer version as { version, notes, link }; the version is empty while none is known. The link is the page of the customer's products. */
    inline function getUpdate()
    {
        // what was found before this version was installed is old
        if (tonerowState.update_from != Engine.getVersion())
            return { version: '', notes: '', link: '' };

        return { version: tonerowState.update_version, notes: tonerowState.update_notes, link: tonerowState.update_link };
    }

    /** The same again that was refused, or failed. */
    inline function tryAgain()
    {
        if (hasBridge())
            begin(['again']);
        else if (tonerowLast.what == 'activate')
            sendActivation();
        else if (tonerowLast.what == 'browser')
            signInByBrowser();
        else if (tonerowLast.what == 'trial')
            startTrial();
        else if (tonerowLast.what == 'release')
            deactivate();
        else if (tonerowLast.what == 'seats_code')
            sendSeatsCode();
        else if (tonerowLast.what == 'seats')
            askSeats();
        else if (tonerowLast.what == 'seat_release')
            releaseSeat(tonerowSeats.wanted);
        else
            validate();
    }

    /** What was refused, or failed, has been read. */
    inline function forgetNotice()
    {
        tonerowLast.notice = '';
        tonerowLast.status = '';
        tonerowLast.message = '';
        tonerowLast.what = '';

        if (hasBridge())
            askBridge(['forget']);
    }

    /** For support: neither license key nor names. */
    inline function getDiagnostics()
    {
        if (hasBridge())
            return tonerowLast.diagnostics;

        local id = FileSystem.getSystemId();

        return 'state: ' + getKind() + '\nunlocked: ' + (isUnlocked() ? 1 : 0)
            + '\nnotice: ' + tonerowLast.notice + '\nstatus: ' + tonerowLast.status + '\nasked: ' + tonerowLast.what
            + '\nhost: ' + hostOf(tonerowSettings.baseURL) + '\nhttp_status: ' + tonerowLast.http
            + '\nrequest: ' + tonerowLast.request + '\nat: ' + tonerowLast.at
            + '\nproduct: ' + tonerowSettings.productId + '\nversion: ' + Engine.getVersion()
            + '\nos: ' + Engine.getSystemStats().OperatingSystemName + '\nmachine: ' + id.substring(0, 8)
            + '\nclock: ' + Date.getSystemTimeISO8601(true) + '\nlast_ok: ' + tonerowState.last_ok
            + '\nsigned_time: ' + tonerowData.signedTime + '\nkey_file: ' + (hasKeyFile() ? 1 : 0)
            + '\nkey_file_end: ' + tonerowData.keyFileEnd + '\nunlocker: ' + (tonerowData.unlocker ? 1 : 0);
    }

    /** Asks the server now. */
    inline function validate()
    {
        if (hasBridge())
        {
            begin(['check']);
            return;
        }

        ask(tonerowState.token);
    }

    /** Frees this computer's seat. */
    inline function deactivate()
    {
        if (hasBridge())
        {
            begin(['release']);
            return;
        }

        post('api/license/deactivate', {
            key: tonerowState.license_key,
            instance_id: tonerowState.instance_id
        }, tonerowCallbacks.deactivated);
    }

    /** Before a machine file is saved, as when its button is shown: the node makes the secret with which the license file can be released. */
    inline function prepareMachineFile()
    {
        if (hasBridge())
            askBridge(['machine']);
    }

    /** Whether the license file in use can be given up before it ends; only a node in C++ can show that it was. */
    inline function isReleasable()
    {
        return hasBridge() && tonerowBridge.releasable == 1;
    }

    /** Whether a license file was given up here: its release file can be saved once more. */
    inline function isReleased()
    {
        return hasBridge() && tonerowBridge.released == 1;
    }

    /** Gives the license file up on this computer, for good; then the release file can be written. */
    inline function giveUp()
    {
        if (hasBridge())
            begin(['give_up']);
    }

    inline function getReleaseText()
    {
        return tonerowBridge.release_file;
    }

    /** Writes what frees the place of this computer, after giveUp. Whether it could. */
    inline function writeReleaseFile(file)
    {
        return tonerowBridge.release_file != '' ? file.writeString(tonerowBridge.release_file) : false;
    }

    /** Writes what the owner needs to get a license file for this computer on another one. Whether it could. */
    inline function writeMachineFile(file)
    {
        if (hasBridge())
        {
            prepareMachineFile();
            return file.writeString(tonerowBridge.machine_file);
        }

        return file.writeObject({
            machine_id: FileSystem.getSystemId(),
            device: Engine.getSystemStats().ComputerName,
            // HISE compares the name without its last word
            app: Engine.getName() + ' ' + Engine.getVersion()
        });
    }

    /**
     * Takes the license file that was made for this computer; without HISE's unlocker, an unlock for good as well. Any other file leaves
     * the current one in place.
     */
    inline function readLicenseFile(file)
    {
        readLicenseText(file.loadAsString());
    }

    /** The same with the text of the file, as from the clipboard. */
    inline function readLicenseText(text)
    {
        local content = '' + text;

        if (hasBridge())
        {
            begin(['file', content]);
            return;
        }

        if (takeUnlock(content))
        {
            note('');
            save();
            tellState();
            return;
        }

        if (!isForHere(content) || tokenIn(content) == '')
        {
            note('wrong_file');
            tell(tonerowTexts.otherFile);
            return;
        }

        if (endOf(content) < now())
        {
            note('expired_file');
            tell(tonerowTexts.expiredFile);
            return;
        }

        if (!takeKeyFile(content))
        {
            note('wrong_file');
            tell(tonerowTexts.otherFile);
            return;
        }

        note('');

        tonerowState.instance_id = FileSystem.getSystemId();
        save();
        tellState();
        askTime();
    }

    /** Opens a key file that expires, and asks the server when the last good answer is old. */
    inline function refresh()
    {
        askTime();

        local age = Date.getSystemTimeMs() - tonerowState.last_ok;

        if (tonerowState.license_key != '' && !tonerowData.isForGood && (age < 0 || age > tonerowSettings.checkHours * 3600000))
            validate();

        lookWhenDue();
    }

    // --- nothing below is called from outside

    inline function hour()
    {
        // a license may have ended since the last time
        tellState();
        refresh();
    }

    /** Whether the license is good here, as far as the script knows. */
    inline function isGood()
    {
        if (hasBridge())
            return bridgeKind() == 'licensed';

        if (tonerowData.isForGood)
            return true;

        if (tonerowData.keyFileEnded || !isInTime())
            return false;

        // a license file is good until it expires
        if (tonerowData.leaseToken != '')
            return true;

        local age = Date.getSystemTimeMs() - tonerowState.last_ok;

        local grace = tonerowSettings.graceDays * 86400000;

        // last_ok in the future: the clock was ahead then, or was turned back, which gains no more than stopping it would
        return tonerowState.token != '' && age > 0 - grace && age < grace;
    }

    /** Whether a trial lasts. Turning the clock back wins nothing: the time of the last answer is never undercut. */
    inline function isInTrial()
    {
        return tonerowState.trial_ends > 0 && now() < tonerowState.trial_ends && now() > tonerowState.last_ok - 3600000;
    }

    inline function trialed(status, response)
    {
        if (status == 200 && response.ok && isDefined(response.trial_ends_at))
        {
            tonerowState.trial_ends = Date.ISO8601ToMilliseconds(response.trial_ends_at);
            tonerowState.instance_id = FileSystem.getSystemId();
            succeeded();
            return;
        }

        // it was this computer's, and is over
        if (response.status == 'trial_expired')
            tonerowState.trial_ends = 1;

        noteAnswer('trial', status, response);
        tonerowState.last_error = detail(status, response);
        save();
        tell(tonerowState.last_error);
    }

    inline function ask(token)
    {
        tonerowData.askedWith = token;

        post('api/license/validate', {
            key: tonerowState.license_key,
            instance_id: tonerowState.instance_id,
            product_id: tonerowSettings.productId,
            plugin_version: Engine.getVersion(),
            token: token
        }, tonerowCallbacks.validated);
    }

    inline function activated(status, response)
    {
        // without a token it is not from the license server, and what is stored stays
        if (status == 200 && response.ok && isToken(response.validation_token))
        {
            takeSeat(response);
            succeeded();
            askTime();
            return;
        }

        noteAnswer('activate', status, response);
        tonerowState.last_error = detail(status, response);
        save();
        tell('Activation failed: ' + tonerowState.last_error);
    }

    inline function takeSeat(response)
    {
        if (tonerowState.license_key != tonerowData.wantedKey)
            forgetExpansions();

        forgetSeats();
        tonerowState.license_key = tonerowData.wantedKey;
        tonerowState.instance_id = FileSystem.getSystemId();
        takeAnswered(response);
    }

    // --- the owner in a browser

    inline function stopBrowsing()
    {
        tonerowBrowserTimer.stopTimer();
        tonerowBrowser.address = '';
        tonerowBrowser.code = '';
        tonerowBrowser.qr = [];
        tonerowBrowser.deviceCode = '';

        // an answer that is under way is another page's
        if (tonerowBrowser.isAsking)
            tonerowBrowser.skips = tonerowBrowser.skips + 1;

        tonerowBrowser.isAsking = false;
    }

    /** HISE answers in the order of the questions, and its callbacks do not know which one is theirs. */
    inline function isSkipped()
    {
        if (tonerowBrowser.skips > 0)
        {
            tonerowBrowser.skips = tonerowBrowser.skips - 1;
            return true;
        }

        tonerowBrowser.isAsking = false;
        return false;
    }

    inline function paged(status, response)
    {
        if (isSkipped())
            return;

        if (status == 200 && response.ok && isDefined(response.device_code) && isAddress(response.verification_uri_complete))
        {
            tonerowBrowser.address = response.verification_uri_complete;
            tonerowBrowser.code = response.user_code;
            // a server of an earlier release makes none
            tonerowBrowser.qr = isDefined(response.qr) ? response.qr : [];
            tonerowBrowser.deviceCode = response.device_code;
            tonerowBrowser.interval = response.interval < 1 || response.interval > 60 ? 5 : response.interval;
            tonerowBrowser.until = Date.getSystemTimeMs() + response.expires_in * 1000;
            tonerowBrowserTimer.startTimer(tonerowBrowser.interval * 1000);
            forgetNotice();
            tellNow();
            return;
        }

        fail('browser', status, response);
    }

    inline function askBrowser()
    {
        // the next question comes after the answer, however long that takes
        tonerowBrowserTimer.stopTimer();

        if (tonerowBrowser.deviceCode != '')
        {
            tonerowBrowser.isAsking = true;
            post('api/license/v1/device/token', aboutPage(tonerowBrowser.deviceCode), tonerowCallbacks.confirmed);
        }
    }

    inline function aboutPage(deviceCode)
    {
        return { device_code: deviceCode, machine_id: FileSystem.getSystemId(), product_id: tonerowSettings.productId };
    }

    inline function confirmed(status, response)
    {
        if (isSkipped())
            return;

        if (isConfirmed(status, response))
        {
            stopBrowsing();
            takeConfirmed(response);
            return;
        }

        if (response.status == 'slow_down')
            tonerowBrowser.interval = tonerowBrowser.interval + 5;

        // a network that comes and goes, or a server with trouble, ends nothing before its time
        if (isWaiting(status, response) && Date.getSystemTimeMs() < tonerowBrowser.until)
        {
            tonerowBrowserTimer.startTimer(tonerowBrowser.interval * 1000);
            return;
        }

        local deviceCode = tonerowBrowser.deviceCode;
        stopBrowsing();

        if (isWaiting(status, response))
        {
            note('refused');
            tonerowLast.what = 'browser';
            tonerowLast.status = 'code_expired';
            tellNow();
            return;
        }

        fail('browser', status, response);

        // whoever confirmed has shown that the seats are theirs
        if (response.status == 'seat_limit')
            tonerowSeats.confirmed = deviceCode;
    }

    inline function isWaiting(status, response)
    {
        return response.status == 'pending' || response.status == 'slow_down' || response.status == 'rate_limited' || status == 0 || status >= 500;
    }

    inline function isConfirmed(status, response)
    {
        return status == 200 && response.ok && isDefined(response.license_key) && isToken(response.validation_token);
    }

    /** An activation with the license key that was chosen in the browser. Its answer has no key file. */
    inline function takeConfirmed(response)
    {
        tonerowData.wantedKey = response.license_key;
        takeSeat(response);
        tonerowState.last_ok = Date.getSystemTimeMs();
        tonerowState.ended = '';
        save();

        if (needsKeyFile())
            renew();
        else
            succeeded();
    }

    // --- the computers of a license

    inline function forgetSeats()
    {
        tonerowSeats.isCodeSent = false;
        tonerowSeats.areKnown = false;
        tonerowSeats.list = [];
        tonerowSeats.emailCode = '';
        tonerowSeats.confirmed = '';
    }

    inline function aboutSeats()
    {
        if (tonerowSeats.confirmed != '')
            return aboutPage(tonerowSeats.confirmed);

        return {
            license_key: tonerowData.wantedKey != '' ? tonerowData.wantedKey : tonerowState.license_key,
            machine_id: FileSystem.getSystemId(),
            product_id: tonerowSettings.productId
        };
    }

    /** The same, with what shows that the seats are the customer's. */
    inline function withProof()
    {
        local about = aboutSeats();

        if (tonerowSeats.confirmed == '')
            about.email_code = tonerowSeats.emailCode;

        return about;
    }

    inline function askSeats()
    {
        post('api/license/v1/seats', withProof(), tonerowCallbacks.seatsListed);
    }

    inline function codeSent(status, response)
    {
        if (status == 200 && response.ok)
        {
            tonerowSeats.isCodeSent = true;
            forgetNotice();
            tellNow();
            return;
        }

        failSeats('seats_code', status, response);
    }

    inline function seatsListed(status, response)
    {
        if (status == 200 && response.ok && isDefined(response.seats))
        {
            keepSeats(response.seats);
            forgetNotice();
            tellNow();
            return;
        }

        failSeats('seats', status, response);
    }

    inline function keepSeats(seats)
    {
        local list = [];
        local i = 0;

        while (i < seats.length)
        {
            local name = isDefined(seats[i].name) ? '' + seats[i].name : '';
            local seen = '' + seats[i].last_seen_at;

            list.push({
                id: seats[i].id,
                // without a name, the first characters of its id
                name: name != '' ? name : '' + seats[i].machine,
                day: seen.substring(0, 10)
            });

            i = i + 1;
        }

        tonerowSeats.list = list;
        tonerowSeats.areKnown = true;
    }

    inline function seatReleased(status, response)
    {
        // a seat that is free already is just as good
        if ((status == 200 && response.ok) || response.status == 'not_activated')
        {
            dropSeat(tonerowSeats.wanted);
            forgetNotice();

            // that is what it was released for
            if (isUnlocked())
                tellNow();
            else if (tonerowSeats.confirmed != '')
                post('api/license/v1/device/token', aboutPage(tonerowSeats.confirmed), tonerowCallbacks.reclaimed);
            else
                sendActivation();

            return;
        }

        failSeats('seat_release', status, response);
    }

    inline function dropSeat(id)
    {
        local list = [];
        local i = 0;

        while (i < tonerowSeats.list.length)
        {
            if (tonerowSeats.list[i].id != id)
                list.push(tonerowSeats.list[i]);

            i = i + 1;
        }

        tonerowSeats.list = list;
    }

    inline function reclaimed(status, response)
    {
        if (isConfirmed(status, response))
            takeConfirmed(response);
        else
            fail('browser', status, response);
    }

    /** A confirmation that is worth nothing more is forgotten: its time is over, or it was not made by the owner's email. */
    inline function failSeats(what, status, response)
    {
        if (tonerowSeats.confirmed != '' && (response.status == 'code_required' || response.status == 'code_expired'))
            forgetSeats();

        fail(what, status, response);
    }

    // --- newer versions

    inline function lookWhenDue()
    {
        local age = Date.getSystemTimeMs() - tonerowState.update_asked;

        if (tonerowSettings.looksForUpdates && isUnlocked() && (age < 0 || age > 86400000))
            lookForUpdate();
    }

    inline function updateFound(status, response)
    {
        if (status == 200 && response.ok)
        {
            if (isDefined(response.version) && isAddress(response.link))
                keepUpdate(response.version, response.notes, response.link);
            else
                keepUpdate('', '', '');

            save();
            tellNow();
        }
    }

    inline function keepUpdate(version, notes, link)
    {
        tonerowState.update_version = version;
        tonerowState.update_notes = notes;
        tonerowState.update_link = link;
        tonerowState.update_from = Engine.getVersion();
    }

    /** HISE stops the script for what is no address, and opens whatever it is given. */
    inline function isAddress(value)
    {
        local text = '' + value;
        return text.indexOf('https://') == 0 || text.indexOf('http://') == 0;
    }

    // --- what went wrong

    inline function hostOf(url)
    {
        local rest = between(url + '/', '://', '/');
        return rest;
    }

    inline function note(notice)
    {
        tonerowLast.notice = notice;
        tonerowLast.status = '';
        tonerowLast.message = '';
        tonerowLast.what = '';
    }

    /** HISE gives a script no headers: the number of a request is known where the answer itself has it. */
    inline function noteAnswer(what, status, response)
    {
        local refused = isDefined(response.status) ? '' + response.status : '';

        note('refused');
        tonerowLast.what = what;
        tonerowLast.status = refused;
        tonerowLast.message = detail(status, response);
        tonerowLast.host = hostOf(tonerowSettings.baseURL);
        tonerowLast.http = status;
        tonerowLast.request = isDefined(response.request_id) ? '' + response.request_id : '';
        tonerowLast.at = Date.getSystemTimeISO8601(true);

        if (status == 0)
            tonerowLast.notice = 'unreachable';
        else if (refused == 'unauthorized')
            tonerowLast.notice = 'unknown_plugin';
        else if (status >= 500 || refused == 'rate_limited')
            tonerowLast.notice = 'busy_server';
        // such as the sign-in page of a hotel's network
        else if (status == 200 || refused == '')
            tonerowLast.notice = 'not_genuine';
    }

    inline function fail(what, status, response)
    {
        noteAnswer(what, status, response);
        tell(tonerowLast.message);
    }

    /** There is something to show besides the license. */
    inline function tellNow()
    {
        tell(isUnlocked() ? '' : tonerowTexts.locked);
    }

    /** The seat is good but HISE has no valid key file: activating again takes no seat, and returns one. */
    inline function renew()
    {
        post('api/license/activate', {
            key: tonerowState.license_key,
            instance_id: tonerowState.instance_id,
            product_id: tonerowSettings.productId,
            app: Engine.getName(),
            plugin_version: Engine.getVersion()
        }, tonerowCallbacks.renewed);
    }

    inline function renewed(status, response)
    {
        if (status == 200 && response.ok && isToken(response.validation_token))
        {
            takeAnswered(response);
            succeeded();
            askTime();
            return;
        }

        // what was confirmed in a browser waits for it
        if (!isUnlocked())
            fail('check', status, response);
    }

    inline function validated(status, response)
    {
        if (status == 200 && response.ok)
        {
            if (isToken(response.new_token))
                tonerowState.token = response.new_token;

            succeeded();

            if (needsKeyFile())
                renew();

            return;
        }

        // an old token is no reason to lock a computer that has a seat: without one, the server returns a fresh one
        if (response.status == 'invalid_token' && tonerowData.askedWith != '')
        {
            ask('');
            return;
        }

        noteAnswer('check', status, response);
        tonerowState.last_error = detail(status, response);

        if (isEnding(response.status))
        {
            tonerowState.token = '';
            tonerowState.ended = response.status;
            removeKeyFile();
            forgetExpansions();
        }

        // no network, too many requests, a wrong plugin key: the grace period decides how long it goes on
        save();
        tellState();
    }

    inline function deactivated(status, response)
    {
        // a seat that is free already is just as good
        if ((status == 200 && response.ok) || response.status == 'not_activated')
        {
            removeKeyFile();
            forget();
            note('');
            tonerowFile.deleteFileOrDirectory();
            tell(tonerowTexts.locked);
            return;
        }

        noteAnswer('release', status, response);
        tonerowState.last_error = detail(status, response);
        save();
        tell('Deactivation failed: ' + tonerowState.last_error);
    }

    inline function isToken(value)
    {
        local text = '' + value;
        return text.indexOf('ey') == 0;
    }

    /** Statuses that end a license on this computer. */
    inline function isEnding(status)
    {
        return status == 'revoked' || status == 'expired' || status == 'not_activated' || status == 'not_found'
            || status == 'product_mismatch';
    }

    inline function succeeded()
    {
        tonerowState.last_ok = Date.getSystemTimeMs();
        tonerowState.last_error = '';
        tonerowState.ended = '';
        note('');
        save();
        tellState();
    }

    inline function detail(status, response)
    {
        if (isDefined(response.error))
            return response.error;

        if (status == 0)
            return 'The license server could not be reached.';

        // such as the sign-in page of a hotel's network
        return status == 200 ? 'This was not the license server\'s answer.' : 'HTTP ' + status;
    }

    inline function tellState()
    {
        matchKeyFile();

        openExpansions();

        if (isUnlocked())
            tell('');
        else
            tell(tonerowTexts.locked);
    }

    /** Gives HISE what the expansions were installed under. It compares the whole object, so it must never change. */
    inline function openExpansions()
    {
        // with a node, the key that was entered stands for the token, which is not told
        if (tonerowData.expansions && isGood() && (tonerowState.token != '' || (hasBridge() && tonerowState.license_key != '')))
        {
            if (tonerowState.expansion_key != '')
                tonerowData.expansions.setCredentials({ serial: tonerowState.expansion_serial, key: tonerowState.expansion_key });
            else
                askExpansionKey();
        }
    }

    inline function askExpansionKey()
    {
        if (!tonerowData.expansionKeyAsked)
        {
            tonerowData.expansionKeyAsked = true;

            post('api/license/v1/expansion-key', {
                license_key: tonerowState.license_key,
                machine_id: tonerowState.instance_id,
                product_id: tonerowSettings.productId,
                version: Engine.getVersion()
            }, tonerowCallbacks.opened);
        }
    }

    /** Without an answer, or with another one, it is asked again in an hour: expansions that are open stay open. */
    inline function opened(status, response)
    {
        tonerowData.expansionKeyAsked = false;

        if (status == 200 && response.ok && isDefined(response.expansion_key))
        {
            tonerowState.expansion_serial = response.serial_id;
            tonerowState.expansion_key = response.expansion_key;
            save();
            tellState();
        }
    }

    inline function forgetExpansions()
    {
        tonerowState.expansion_serial = '';
        tonerowState.expansion_key = '';
    }

    inline function tell(message)
    {
        local unlocked = isUnlocked();

        if (tonerowData.onChange)
            tonerowData.onChange(unlocked, message);
    }

    // --- the server

    inline function post(path, form, callback)
    {
        address();
        Server.callWithPOST(path, form, callback);
    }

    /** Set for each call, because other parts of the plugin may talk to other servers. */
    inline function address()
    {
        Server.setBaseURL(tonerowSettings.baseURL);
        Server.setHttpHeader('X-App-Id: ' + tonerowSettings.appId + '\nX-App-Key: ' + tonerowSettings.appKey);
    }

    // --- the node tonerow_gate

    inline function askBridge(words)
    {
        tonerowBridge.asks.sendData(words);
    }

    /** Twice a second. What the node has not got to tell is not told again. */
    inline function tickBridge()
    {
        tonerowBridge.ticks = tonerowBridge.ticks + 1;

        // an hour: the key of the expansions may not have been answered
        if (tonerowBridge.ticks == 7200)
        {
            tonerowBridge.ticks = 0;
            openExpansions();
            lookWhenDue();
        }

        askBridge(['tick']);
    }

    /** Asks for something that has an outcome. */
    inline function begin(words)
    {
        tonerowBridge.isAsked = true;
        askBridge(words);
    }

    inline function activateBridge(wanted, email)
    {
        if (wanted == '' || email == '')
        {
            note(wanted == '' ? 'empty_serial' : 'refused');
            tonerowLast.status = wanted == '' ? '' : 'email_required';
            tell(tonerowTexts.missingKey);
            return;
        }

        tonerowData.wantedKey = wanted;
        begin(['activate', wanted, email]);
    }

    /** Whenever something has changed. */
    inline function bridged(told)
    {
        local text = '' + told;
        local said = text.parseAsJSON();

        if (isDefined(said.state))
        {
            tonerowBridge.unlocked = said.unlocked;
            tonerowBridge.state = said.state;
            tonerowBridge.notice = said.notice;
            tonerowBridge.status = said.status;
            tonerowBridge.message = said.message;
            tonerowBridge.days = said.days;
            tonerowBridge.serial = said.serial;
            tonerowBridge.used = said.used;
            tonerowBridge.most = said.most;
            tonerowBridge.finishing = said.finishing;
            tonerowBridge.https = said.https;
            tonerowBridge.store_path = said.store_path;
            tonerowBridge.store_reason = said.store_reason;
            tonerowBridge.store_problem = said.store_problem;
            tonerowBridge.machine_id = said.machine_id;
            tonerowBridge.machine_file = said.machine_file;
            tonerowBridge.releasable = said.releasable;
            tonerowBridge.released = said.released;

            // it is told once
            if (said.released == 0 || said.release_file != '')
                tonerowBridge.release_file = said.release_file;

            if (!tonerowBridge.isTold)
            {
                tonerowBridge.isTold = true;
                load();
            }

            tonerowLast.notice = said.notice == 'none' || said.notice == 'canceled' ? '' : said.notice;
            tonerowLast.status = said.status;
            tonerowLast.message = said.message;
            tonerowLast.host = said.host;
            tonerowLast.http = said.http;
            tonerowLast.request = said.request;
            tonerowLast.at = said.host != '' ? said.at : '';
            tonerowLast.diagnostics = said.diagnostics;
            tonerowSeats.isCodeSent = said.code_sent == 1;
            tonerowSeats.areKnown = said.seats_known == 1;
            tonerowSeats.list = said.seats;

            if (said.update_version != '')
                keepUpdate(said.update_version, said.update_notes, said.update_link);

            local isPage = said.page != tonerowBrowser.address;
            tonerowBrowser.address = said.page;
            tonerowBrowser.code = said.page_code;
            tonerowBrowser.qr = said.page_qr == '' ? [] : said.page_qr.split(' ');

            // what goes on has no outcome yet, but there may be a page to show
            if (said.busy == 0)
                settled();
            else if (isPage)
                tellNow();
        }
    }

    inline function settled()
    {
        local isNews = tonerowBridge.isAsked;
        tonerowBridge.isAsked = false;
        keepKey();
        openExpansions();
        lookWhenDue();

        if (isNews && tonerowBridge.notice != 'none')
            tell(noticeText());
        else
            tell(isUnlocked() ? '' : tonerowTexts.locked);
    }

    /** Expansions, and who looks for it, need the license key: the node tells it to nobody. */
    inline function keepKey()
    {
        local kind = bridgeKind();

        if (kind == 'licensed' && tonerowBridge.state != 'for_good' && tonerowData.wantedKey != '')
        {
            if (tonerowState.license_key != tonerowData.wantedKey)
                forgetExpansions();

            tonerowState.license_key = tonerowData.wantedKey;
            tonerowState.instance_id = tonerowBridge.machine_id;
            tonerowData.wantedKey = '';
            save();
        }
        else if ((kind == 'unlicensed' || kind == 'revoked') && tonerowState.expansion_key != '')
        {
            forgetExpansions();
            save();
        }
    }

    inline function bridgeKind()
    {
        local state = tonerowBridge.state;

        if (state == 'active' || state == 'leased' || state == 'check_soon' || state == 'for_good')
            return 'licensed';

        // a license file that has ended, or a license of which the server said so, is not checked
        if (state == 'expired')
            return tonerowBridge.serial == '' || tonerowBridge.status == 'expired' ? 'expired' : 'check_due';

        if (state == 'other_machine')
            return 'moved';

        return state == '' ? 'unlicensed' : state;
    }

    inline function noticeText()
    {
        local notice = tonerowBridge.notice;

        if (notice == 'refused')
            return tonerowBridge.message;

        if (notice == 'unreachable' || notice == 'too_slow')
            return tonerowTexts.unreachable;

        if (notice == 'not_genuine')
            return tonerowTexts.notGenuine;

        if (notice == 'busy_server')
            return tonerowTexts.busyServer;

        if (notice == 'unknown_plugin')
            return tonerowTexts.unknownPlugin;

        if (notice == 'clock_is_wrong')
            return tonerowTexts.wrongClock;

        if (notice == 'empty_serial')
            return tonerowTexts.missingKey;

        if (notice == 'wrong_file')
            return tonerowTexts.otherFile;

        if (notice == 'expired_file')
            return tonerowTexts.expiredFile;

        if (notice == 'spent_file')
            return tonerowTexts.spentFile;

        return notice == 'lease_longer' ? tonerowTexts.longerFile : '';
    }

    // --- HISE's key file

    /** Whether HISE plays. What the unlocker answers before that is no number, and ! would not turn it around. */
    inline function isOpen()
    {
        if (tonerowData.unlocker && tonerowData.unlocker.isUnlocked())
            return true;

        return false;
    }

    inline function hasKeyFile()
    {
        if (tonerowData.unlocker && tonerowData.unlocker.keyFileExists())
            return true;

        return false;
    }

    inline function needsKeyFile()
    {
        if (tonerowData.unlocker)
            return tonerowData.keyFileEnded || !hasKeyFile();

        return false;
    }

    inline function takeAnswered(response)
    {
        tonerowState.token = response.validation_token;

        // a new one that expires brings the time of its making along
        if (tonerowData.unlocker && isDefined(response.key_file) && takeKeyFile(response.key_file))
            openAlone();
    }

    /** Hands HISE a key file. One that is not for this computer, or that HISE refuses, leaves the old one in place. */
    inline function takeKeyFile(content)
    {
        if (!isForHere(content))
            return false;

        local old = hasKeyFile() ? tonerowData.unlocker.getLicenseKeyFile().loadAsString() : '';

        // HISE writes before it checks, and does not open a file that expires by itself
        if (tonerowData.unlocker.writeKeyFile(content) || endOf(content) > 0)
        {
            tonerowState.key_file = '';
            tonerowData.keyFileEnded = false;
            readKeyFile();
            return true;
        }

        if (old == '')
            deleteKeyFile();
        else
            tonerowData.unlocker.writeKeyFile(old);

        return false;
    }

    /** Whether a key file is for this computer. Without the RSA key, only its unsigned header shows this, and HISE checks it. */
    inline function isForHere(content)
    {
        local here = FileSystem.getSystemId();

        if (tonerowData.unlocker && tonerowData.unlocker.isValidKeyFile(content))
        {
            // one that expires could not be opened
            if (!hasKey())
                return between(content, 'Machine numbers: ', '\n').trim() == here && content.indexOf('\nExpires: ') < 0;

            local signed = keyIn(content);
            return between(signed, ' mach="', '"') == here || between(signed, ' expiring_mach="', '"') == here;
        }

        return false;
    }

    /** An unlock for good is signed for every computer. HISE's unlocker goes by the ids of this one, and would go on muting. */
    inline function takeUnlock(content)
    {
        if (hasBridge() || tonerowData.unlocker || !hasKey())
            return false;

        // nothing else is worth the arithmetic
        if (content.length > 20000 || content.indexOf('unlock-for-good') < 0 || content.indexOf('#') < 0)
            return false;

        local signed = keyIn(content);

        if (between(signed, ' mach="', '"') != 'EVERY-COMPUTER')
            return false;

        tonerowState.unlock = content;
        tonerowData.isForGood = true;
        return true;
    }

    /** HISE plays while it has a key file, so it has one only while the license is good here. */
    inline function matchKeyFile()
    {
        if (isGood())
        {
            if (tonerowState.key_file != '' && !hasKeyFile() && takeKeyFile(tonerowState.key_file))
                save();
        }
        else if (hasEnded() && hasKeyFile())
        {
            // kept, because only the clock may be wrong
            tonerowState.key_file = tonerowData.unlocker.getLicenseKeyFile().loadAsString();
            deleteKeyFile();
            save();
        }
    }

    /** Whether the days without an answer from the server are over. */
    inline function hasEnded()
    {
        local age = Date.getSystemTimeMs() - tonerowState.last_ok;

        return tonerowState.token != '' && tonerowData.leaseToken == '' && age >= tonerowSettings.graceDays * 86400000;
    }

    /** The license has ended on this computer: HISE mutes it from the next start on. */
    inline function removeKeyFile()
    {
        tonerowState.key_file = '';

        if (hasKeyFile())
            deleteKeyFile();
    }

    inline function deleteKeyFile()
    {
        tonerowData.unlocker.getLicenseKeyFile().deleteFileOrDirectory();
        tonerowData.keyFileEnded = false;
        readKeyFile();
    }

    /** Learns what the script has to know about the key file that HISE has. */
    inline function readKeyFile()
    {
        tonerowData.keyFileEnd = 0;
        tonerowData.leaseToken = '';

        if (hasKeyFile())
        {
            local content = tonerowData.unlocker.getLicenseKeyFile().loadAsString();
            tonerowData.keyFileEnd = endOf(content);

            if (tonerowData.keyFileEnd > 0)
            {
                tonerowData.leaseToken = tokenIn(content);
                local signed = between(content, '\nSigned time: ', '\n');
                learnTime(signed.trim());

                if (tonerowData.leaseToken != '')
                    openAlone();
            }
        }
    }

    /** When a key file expires, in milliseconds; 0 if it does not, or if the server did not sign it. */
    inline function endOf(content)
    {
        local signed = keyIn(content);
        local digits = between(signed, ' expiryTime="', '"');

        return digits == '' ? 0 : parseInt('0x' + digits);
    }

    /** The signed part of a key file, after its last #. Empty without the RSA key, and mostly for what is not signed. */
    inline function keyIn(content)
    {
        if (!hasKey())
            return '';

        return FileSystem.decryptWithRSA(content.substring(content.lastIndexOf('#') + 1, content.length), tonerowSettings.rsaPublicKey);
    }

    /** The token in a license file: the lines without a colon. */
    inline function tokenIn(content)
    {
        local envelope = between(content, '-----BEGIN TONEROW LICENSE-----', '-----END TONEROW LICENSE-----');
        local lines = envelope.split('\n');
        local token = '';
        local i = 0;

        while (i < lines.length)
        {
            if (lines[i].indexOf(':') < 0)
                token = token + lines[i].trim();

            i = i + 1;
        }

        return token;
    }

    /** The part between two texts; HISE's indexOf has no start, and its substring needs both ends. */
    inline function between(content, before, after)
    {
        local begin = content.indexOf(before);

        if (begin < 0)
            return '';

        local rest = content.substring(begin + before.length, content.length);
        local end = rest.indexOf(after);

        return end < 0 ? '' : rest.substring(0, end);
    }

    // --- the time

    /** HISE opens a key file that expires only by the server's own time, and again at each start. */
    inline function askTime()
    {
        if (tonerowData.keyFileEnd > 0 && (!isOpen() || !isInTime()))
        {
            address();
            Server.callWithGET('api/license/v1/time', { product_id: tonerowSettings.productId }, tonerowCallbacks.timed);
        }
    }

    inline function timed(status, response)
    {
        if (status == 200 && isDefined(response.hise) && learnTime(response.hise))
        {
            local newest = timeOf(response.hise);
            tonerowData.serverAhead = newest - Date.getSystemTimeMs();
            // only what was verified: any other text is 1970 to HISE, which opens everything
            tonerowData.unlocker.checkExpirationData(response.hise);
            tonerowData.keyFileEnded = !isOpen();
            save();
            tellState();
        }
        // the server is away: until the end, the time that it signed last is good enough
        else if (isGood())
        {
            openAlone();
            tellState();
        }
    }

    /** Opens a key file that expires by what this computer has: a time that the server signed, and its own clock. */
    inline function openAlone()
    {
        if (isInTime() && tonerowData.keyFileEnd > 0 && timeOf(tonerowState.signed_time) > 0)
            tonerowData.unlocker.checkExpirationData(tonerowState.signed_time);
    }

    inline function now()
    {
        return Date.getSystemTimeMs() + tonerowData.serverAhead;
    }

    /** Whether the clock is before the end of the key file, if it expires, and was not turned back behind a signed time. */
    inline function isInTime()
    {
        if (tonerowData.keyFileEnd < 1)
            return true;

        return now() < tonerowData.keyFileEnd && now() > tonerowData.signedTime - 3600000;
    }

    /** Keeps a signed time when it is the newest. False if the server did not sign it, or did long ago. */
    inline function learnTime(signed)
    {
        local time = timeOf(signed);

        if (time > tonerowData.signedTime)
        {
            tonerowData.signedTime = time;
            tonerowState.signed_time = signed;
        }

        return time > 0 && time > tonerowData.signedTime - 3600000;
    }

    /** The moment that a signed time names, in milliseconds; 0 for anything else. */
    inline function timeOf(signed)
    {
        local text = '' + signed;
        local length = tonerowSettings.rsaPublicKey.length - tonerowSettings.rsaPublicKey.indexOf(',') - 1;

        // if it were longer than the key, it could be put together without the private one so that it begins with a time
        if (!hasKey() || text.indexOf('0x') != 0 || text.length > length + 2)
            return 0;

        local iso = FileSystem.decryptWithRSA(text.substring(2, text.length), tonerowSettings.rsaPublicKey);

        if (iso.length != 20 || iso.indexOf('20') != 0 || iso.indexOf('T') != 10 || iso.indexOf('Z') != 19)
            return 0;

        return Date.ISO8601ToMilliseconds(iso);
    }

    inline function hasKey()
    {
        return tonerowSettings.rsaPublicKey.indexOf(',') > 0;
    }

    // --- what is stored

    inline function forget()
    {
        tonerowState.license_key = '';
        tonerowState.instance_id = '';
        tonerowState.token = '';
        tonerowState.last_ok = 0;
        tonerowState.last_error = '';
        tonerowState.signed_time = '';
        tonerowState.ended = '';
        tonerowData.signedTime = 0;
        forgetExpansions();
    }

    inline function save()
    {
        if (hasBridge())
            tonerowBridgeFile.writeObject(tonerowState);
        else
            tonerowFile.writeObject(tonerowState);
    }

    /** What this computer is called in what is stored. */
    inline function storedId()
    {
        return hasBridge() ? tonerowBridge.machine_id : FileSystem.getSystemId();
    }

    inline function load()
    {
        local file = hasBridge() && tonerowBridgeFile.isFile() ? tonerowBridgeFile : tonerowFile;

        if (!file.isFile())
            return;

        // a file that was cut off must not stop the plugin's script, as loadAsObject() would
        local text = file.loadAsString();
        local stored = text.parseAsJSON();

        if (!isDefined(stored.token))
            return;

        if (isDefined(stored.unlock))
            takeUnlock('' + stored.unlock);

        // the file of another computer unlocks nothing here
        if (stored.instance_id != storedId())
        {
            tonerowData.oldKey = '' + stored.license_key;
            tonerowData.oldId = '' + stored.instance_id;
        }
        else
        {
            tonerowState.license_key = stored.license_key;
            tonerowState.instance_id = stored.instance_id;
            tonerowState.token = stored.token;
            tonerowState.last_ok = stored.last_ok;
            tonerowState.last_error = stored.last_error;

            // files of older versions have neither
            if (isDefined(stored.key_file))
                tonerowState.key_file = stored.key_file;

            if (isDefined(stored.signed_time))
                learnTime(stored.signed_time);

            if (isDefined(stored.ended))
                tonerowState.ended = stored.ended;

            if (isDefined(stored.trial_ends))
                tonerowState.trial_ends = stored.trial_ends;

            if (isDefined(stored.update_from))
            {
                keepUpdate(stored.update_version, stored.update_notes, stored.update_link);
                tonerowState.update_from = stored.update_from;
                tonerowState.update_asked = stored.update_asked;
            }

            if (isDefined(stored.expansion_key))
            {
                tonerowState.expansion_serial = stored.expansion_serial;
                tonerowState.expansion_key = stored.expansion_key;
            }
        }
    }
}
