/*  Licensing of {{PRODUCT_NAME}} with Tonerow, for HISE.

    Put this file into your project's Scripts folder, and in onInit:

        include("Tonerow.js");

        Tonerow.onChange = function(unlocked, message)
        {
            Panel.set("visible", !unlocked);
            Label.set("text", message);
        };

        tonerowStart();

    Then call tonerowActivate(key, firstName, lastName, email) from your Activate button and tonerowDeactivate() from
    your Deactivate button. All of it works in the background; onChange is called when something is known.

    To have HISE itself mute a plugin that is not unlocked, put RSA.xml (from the dashboard: Tools, HISE) into the project and set
    Tonerow.unlocker = Engine.createLicenseUnlocker(); before tonerowStart(). Without that the state is a readable file:
    it keeps honest people honest, and no more. A key file that has an end stays shut in HISE until the server has signed
    the time: tonerowStart() asks for that at each start, and while the server is away it goes by the last such time and
    the computer's clock.

    A computer without network needs that unlocker too, and rsaPublicKey below. One button writes its machine file, and
    another takes the license file that its owner gets for that:

        FileSystem.browse(FileSystem.Desktop, true, "*.json", tonerowWriteMachineFile);
        FileSystem.browse(FileSystem.Desktop, false, "*.txt", tonerowReadLicenseFile);
*/

const TonerowSettings = {
  baseURL: '{{TONEROW_URL}}',
  appId: '{{DEVELOPER_ID}}',
  appKey: '{{PLUGIN_KEY}}',
  productId: '{{PRODUCT_ID}}',
  // what stands in RSA.xml as PublicKey: with it the script tells what the server signed from what it did not
  rsaPublicKey: '{{RSA_PUBLIC_KEY}}',
  // how long the plugin goes on without the network; a little longer than the product's "offline days" is of no use
  graceDays: 30,
  // how often it asks, at most
  checkHours: 24,
};

const Tonerow = {
  state: { license_key: '', instance_id: '', token: '', last_ok: 0, last_error: '', signed_time: '' },
  file: FileSystem.getFolder(FileSystem.AppData).getChildFile('license.json'),
  unlocker: 0,
  onChange: 0,
  wantedKey: '',
  askedWith: '',
  // the newest time that the server signed, and how far it is ahead of this computer's clock
  signedTime: 0,
  serverAhead: 0,
  // of the key file that HISE has: when it ends, or 0; whether it did; and its token when it is a license file
  keyFileEnd: 0,
  keyFileEnded: false,
  leaseToken: '',
  timer: Engine.createTimerObject(),
};

const TONEROW_MISSING = 'Please fill first name, last name, email, and license key.';
const TONEROW_LOCKED = 'License invalid or missing. Please activate.';
const TONEROW_OTHER_FILE = 'This is no license file for this plugin on this computer.';

/** Reads what is stored, says whether the plugin is unlocked, and asks the server when it is time. */
function tonerowStart() {
  tonerowLoad();
  tonerowReadKeyFile();
  tonerowHour();
  Tonerow.timer.setTimerCallback(tonerowHour);
  Tonerow.timer.startTimer(3600000);
}

/** Whether the plugin may play. */
function tonerowIsUnlocked() {
  if (Tonerow.keyFileEnded || !tonerowInTime()) {
    return false;
  }

  // a license file is good to its end
  if (Tonerow.leaseToken !== '') {
    return Tonerow.unlocker.isUnlocked();
  }

  var age = Date.getSystemTimeMs() - Tonerow.state.last_ok;

  // last_ok in the future: somebody turned the clock back
  return Tonerow.state.token !== '' && age > -3600000 && age < TonerowSettings.graceDays * 86400000;
}

function tonerowActivate(licenseKey, firstName, lastName, email) {
  var key = licenseKey.trim();

  if (key === '' || firstName.trim() === '' || lastName.trim() === '' || email.trim() === '') {
    tonerowTell(TONEROW_MISSING);
    return;
  }

  Tonerow.wantedKey = key;
  tonerowPost(
    'api/license/activate',
    {
      key: key,
      instance_id: FileSystem.getSystemId(),
      product_id: TonerowSettings.productId,
      device_label: Engine.getSystemStats().ComputerName,
      app: Engine.getName(),
      plugin_version: Engine.getVersion(),
      first_name: firstName.trim(),
      last_name: lastName.trim(),
      email: email.trim(),
    },
    tonerowActivated,
  );
}

/** Asks the server now. */
function tonerowValidate() {
  tonerowAsk(Tonerow.state.token);
}

/** Frees this computer's seat. */
function tonerowDeactivate() {
  tonerowPost(
    'api/license/deactivate',
    { key: Tonerow.state.license_key, instance_id: Tonerow.state.instance_id },
    tonerowDeactivated,
  );
}

/** Says of this computer what its owner needs to get a license file for it on another one. */
function tonerowWriteMachineFile(file) {
  file.writeObject({
    machine_id: FileSystem.getSystemId(),
    device: Engine.getSystemStats().ComputerName,
    // HISE compares what stands before the last space
    app: Engine.getName() + ' ' + Engine.getVersion(),
  });
}

/** Takes the license file that was made for this computer. */
function tonerowReadLicenseFile(file) {
  var text = file.loadAsString();

  // looked at first, because HISE writes whatever it gets over the key file that it has
  if (
    !Tonerow.unlocker ||
    tonerowTokenIn(text) === '' ||
    tonerowBetween(tonerowKeyIn(text), ' expiring_mach="', '"') !== FileSystem.getSystemId()
  ) {
    tonerowTell(TONEROW_OTHER_FILE);
    return;
  }

  Tonerow.unlocker.writeKeyFile(text);
  Tonerow.keyFileEnded = false;
  tonerowReadKeyFile();
  Tonerow.state.instance_id = FileSystem.getSystemId();
  tonerowSave();
  tonerowTellState();
  tonerowAskTime();
}

/** Opens a key file that is shut, and asks the server when the last good answer is old. */
function tonerowRefresh() {
  tonerowAskTime();

  var age = Date.getSystemTimeMs() - Tonerow.state.last_ok;

  if (Tonerow.state.license_key !== '' && (age < 0 || age > TonerowSettings.checkHours * 3600000)) {
    tonerowValidate();
  }
}

// --- from here on nothing is called from outside

function tonerowHour() {
  // a license file may have ended meanwhile
  tonerowTellState();
  tonerowRefresh();
}

function tonerowAsk(token) {
  Tonerow.askedWith = token;
  tonerowPost(
    'api/license/validate',
    {
      key: Tonerow.state.license_key,
      instance_id: Tonerow.state.instance_id,
      product_id: TonerowSettings.productId,
      plugin_version: Engine.getVersion(),
      token: token,
    },
    tonerowValidated,
  );
}

/** HISE opens a key file that has an end only for the server's own time, and anew at each start. */
function tonerowAskTime() {
  if (!Tonerow.unlocker || !Tonerow.unlocker.canExpire()) {
    return;
  }

  if (!Tonerow.unlocker.isUnlocked() || !tonerowInTime()) {
    tonerowAddress();
    Server.callWithGET('api/license/v1/time', { product_id: TonerowSettings.productId }, tonerowTimed);
  }
}

function tonerowTimed(status, response) {
  if (status === 200 && isDefined(response.hise) && tonerowLearnTime(response.hise)) {
    if (tonerowHasKey()) {
      Tonerow.serverAhead = tonerowTimeOf(response.hise) - Date.getSystemTimeMs();
    }

    tonerowSave();
    Tonerow.unlocker.checkExpirationData(Tonerow.state.signed_time);
    // what it answers is 0 on the last day, false after it, and text for what it cannot read
    Tonerow.keyFileEnded = !Tonerow.unlocker.isUnlocked();
    tonerowTellState();
    return;
  }

  // the server is away: in the days of grace the time that it signed last is good enough
  if (tonerowIsUnlocked()) {
    tonerowOpenAlone();
  }
}

/** Opens a key file that has an end by what this computer has: a time that the server signed, and its own clock. */
function tonerowOpenAlone() {
  if (Tonerow.unlocker.canExpire() && Tonerow.state.signed_time !== '' && tonerowInTime()) {
    Tonerow.unlocker.checkExpirationData(Tonerow.state.signed_time);
  }
}

/** Whether the clock is before the end of the key file, if it has one, and was not turned back behind a signed time. */
function tonerowInTime() {
  var now = Date.getSystemTimeMs() + Tonerow.serverAhead;

  return Tonerow.keyFileEnd < 1 || (now < Tonerow.keyFileEnd && now > Tonerow.signedTime - 3600000);
}

/** Keeps a signed time when it is the newest. False: the server did not sign this, or long ago. */
function tonerowLearnTime(signed) {
  // without the key they cannot be compared, and what is no time at all is 1970 to HISE
  if (!tonerowHasKey()) {
    Tonerow.state.signed_time = signed;
    return signed !== '';
  }

  var time = tonerowTimeOf(signed);

  if (time > Tonerow.signedTime) {
    Tonerow.signedTime = time;
    Tonerow.state.signed_time = signed;
  }

  return time > 0 && time > Tonerow.signedTime - 3600000;
}

/** The moment that a signed time names, in milliseconds; 0 when it is none. */
function tonerowTimeOf(signed) {
  var digits = TonerowSettings.rsaPublicKey.length - TonerowSettings.rsaPublicKey.indexOf(',') - 1;

  // longer than the key, it could be put together without the private one so that its beginning is a time
  if (signed.indexOf('0x') !== 0 || signed.length > digits + 2) {
    return 0;
  }

  var text = FileSystem.decryptWithRSA(signed.substring(2, signed.length), TonerowSettings.rsaPublicKey);

  if (text.length !== 20 || text.indexOf('20') !== 0 || text.indexOf('T') !== 10 || text.indexOf('Z') !== 19) {
    return 0;
  }

  return Date.ISO8601ToMilliseconds(text);
}

function tonerowHasKey() {
  return TonerowSettings.rsaPublicKey.indexOf(',') > 0;
}

/** What the script has to know of the key file that HISE has. */
function tonerowReadKeyFile() {
  Tonerow.keyFileEnd = 0;
  Tonerow.leaseToken = '';

  if (!Tonerow.unlocker || !Tonerow.unlocker.keyFileExists() || !tonerowHasKey()) {
    return;
  }

  var text = Tonerow.unlocker.getLicenseKeyFile().loadAsString();
  var end = tonerowBetween(tonerowKeyIn(text), ' expiryTime="', '"');

  if (end === '') {
    return;
  }

  Tonerow.keyFileEnd = parseInt('0x' + end, 16);
  Tonerow.leaseToken = tonerowTokenIn(text);
  tonerowLearnTime(tonerowBetween(text, '\nSigned time: ', '\n').trim());

  if (Tonerow.leaseToken !== '') {
    tonerowOpenAlone();
  }
}

/** The signed part of a key file: what stands behind its last #. Empty when the server did not sign it. */
function tonerowKeyIn(text) {
  if (!tonerowHasKey()) {
    return '';
  }

  var hex = text.substring(text.lastIndexOf('#') + 1, text.length);

  return FileSystem.decryptWithRSA(hex, TonerowSettings.rsaPublicKey);
}

/** The token of a license file: the lines without a colon. */
function tonerowTokenIn(text) {
  var lines = tonerowBetween(text, '-----BEGIN TONEROW LICENSE-----', '-----END TONEROW LICENSE-----').split('\n');
  var token = '';

  for (var i = 0; i < lines.length; i++) {
    if (lines[i].indexOf(':') < 0) {
      token = token + lines[i].trim();
    }
  }

  return token;
}

/** What stands between two texts; HISE has indexOf without a start, and needs both ends of a substring. */
function tonerowBetween(text, before, after) {
  var start = text.indexOf(before);

  if (start < 0) {
    return '';
  }

  var rest = text.substring(start + before.length, text.length);

  return rest.substring(0, Math.max(0, rest.indexOf(after)));
}

function tonerowActivated(status, response) {
  if (status !== 200 || !response.ok) {
    Tonerow.state.last_error = tonerowDetail(status, response);
    tonerowSave();
    tonerowTell('Activation failed: ' + Tonerow.state.last_error);
    return;
  }

  if (isDefined(response.key_file) && Tonerow.unlocker) {
    Tonerow.unlocker.writeKeyFile(response.key_file);
    Tonerow.keyFileEnded = false;
    tonerowReadKeyFile();
    // it comes with the time of its making
    tonerowOpenAlone();
    tonerowAskTime();
  }

  Tonerow.state.license_key = Tonerow.wantedKey;
  Tonerow.state.instance_id = FileSystem.getSystemId();
  Tonerow.state.token = response.validation_token;
  tonerowSucceeded();
}

function tonerowValidated(status, response) {
  if (status === 200 && response.ok) {
    if (isDefined(response.new_token)) {
      Tonerow.state.token = response.new_token;
    }

    tonerowSucceeded();
    return;
  }

  // an old token is no reason to lock a computer that has a seat: without one, a fresh one is answered
  if (response.status === 'invalid_token' && Tonerow.askedWith !== '') {
    tonerowAsk('');
    return;
  }

  Tonerow.state.last_error = tonerowDetail(status, response);

  if (tonerowIsEnding(response)) {
    Tonerow.state.token = '';
  }

  // no network, too many requests, a mistake in the key: the grace period says how long it goes on
  tonerowSave();
  tonerowTellState();
}

function tonerowDeactivated(status, response) {
  // a seat that is free already is as good
  if ((status === 200 && response.ok) || response.status === 'not_activated') {
    if (Tonerow.unlocker && Tonerow.unlocker.keyFileExists()) {
      Tonerow.unlocker.getLicenseKeyFile().deleteFileOrDirectory();
    }

    Tonerow.file.deleteFileOrDirectory();
    tonerowForget();
    tonerowTell(TONEROW_LOCKED);
    return;
  }

  Tonerow.state.last_error = tonerowDetail(status, response);
  tonerowSave();
  tonerowTell('Deactivation failed: ' + Tonerow.state.last_error);
}

/** Answers that end a license on this computer. */
function tonerowIsEnding(response) {
  var status = response.status;

  return (
    status === 'revoked' ||
    status === 'expired' ||
    status === 'not_activated' ||
    status === 'not_found' ||
    status === 'product_mismatch'
  );
}

function tonerowSucceeded() {
  Tonerow.state.last_ok = Date.getSystemTimeMs();
  Tonerow.state.last_error = '';
  tonerowSave();
  tonerowTellState();
}

function tonerowTellState() {
  tonerowTell(tonerowIsUnlocked() ? '' : TONEROW_LOCKED);
}

function tonerowTell(message) {
  if (Tonerow.onChange) {
    Tonerow.onChange(tonerowIsUnlocked(), message);
  }
}

function tonerowDetail(status, response) {
  if (isDefined(response.error)) {
    return response.error;
  }

  return status === 0 ? 'The license server could not be reached.' : 'HTTP ' + status;
}

function tonerowPost(path, form, callback) {
  tonerowAddress();
  Server.callWithPOST(path, form, callback);
}

/** Set anew each time, because other parts of the plugin may talk to other servers. */
function tonerowAddress() {
  Server.setBaseURL(TonerowSettings.baseURL);
  Server.setHttpHeader('X-App-Id: ' + TonerowSettings.appId + '\nX-App-Key: ' + TonerowSettings.appKey);
}

function tonerowForget() {
  Tonerow.state.license_key = '';
  Tonerow.state.instance_id = '';
  Tonerow.state.token = '';
  Tonerow.state.last_ok = 0;
  Tonerow.state.last_error = '';
  Tonerow.state.signed_time = '';
  Tonerow.signedTime = 0;
  Tonerow.keyFileEnded = false;
  tonerowReadKeyFile();
}

function tonerowSave() {
  Tonerow.file.writeObject(Tonerow.state);
}

function tonerowLoad() {
  if (!Tonerow.file.isFile()) {
    return;
  }

  var stored = Tonerow.file.loadAsObject();

  // the file of another computer unlocks nothing here
  if (isDefined(stored.token) && stored.instance_id === FileSystem.getSystemId()) {
    Tonerow.state.license_key = stored.license_key;
    Tonerow.state.instance_id = stored.instance_id;
    Tonerow.state.token = stored.token;
    Tonerow.state.last_ok = stored.last_ok;
    Tonerow.state.last_error = stored.last_error;
    // files of older versions have none
    tonerowLearnTime(isDefined(stored.signed_time) ? stored.signed_time : '');
  }
}
