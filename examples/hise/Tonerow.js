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

    To have HISE itself mute a plugin that is not unlocked, put RSA.xml (from the product's page) into the project and set
    Tonerow.unlocker = Engine.createLicenseUnlocker(); before tonerowStart(). Without that the state is a readable file:
    it keeps honest people honest, and no more.
*/

const TonerowSettings = {
  baseURL: '{{TONEROW_URL}}',
  appId: '{{DEVELOPER_ID}}',
  appKey: '{{PLUGIN_KEY}}',
  productId: '{{PRODUCT_ID}}',
  // how long the plugin goes on without the network; a little longer than the product's "offline days" is of no use
  graceDays: 30,
  // how often it asks, at most
  checkHours: 24,
};

const Tonerow = {
  state: { license_key: '', instance_id: '', token: '', last_ok: 0, last_error: '' },
  file: FileSystem.getFolder(FileSystem.AppData).getChildFile('license.json'),
  unlocker: 0,
  onChange: 0,
  wantedKey: '',
  askedWith: '',
  timer: Engine.createTimerObject(),
};

const TONEROW_MISSING = 'Please fill first name, last name, email, and license key.';
const TONEROW_LOCKED = 'License invalid or missing. Please activate.';

/** Reads what is stored, says whether the plugin is unlocked, and asks the server when it is time. */
function tonerowStart() {
  tonerowLoad();
  tonerowTell(tonerowIsUnlocked() ? '' : TONEROW_LOCKED);
  tonerowRefresh();
  Tonerow.timer.setTimerCallback(tonerowRefresh);
  Tonerow.timer.startTimer(3600000);
}

/** Whether the plugin may play. */
function tonerowIsUnlocked() {
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

/** Asks the server when the last good answer is old. */
function tonerowRefresh() {
  var age = Date.getSystemTimeMs() - Tonerow.state.last_ok;

  if (Tonerow.state.license_key !== '' && (age < 0 || age > TonerowSettings.checkHours * 3600000)) {
    tonerowValidate();
  }
}

// --- from here on nothing is called from outside

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

function tonerowActivated(status, response) {
  if (status !== 200 || !response.ok) {
    Tonerow.state.last_error = tonerowDetail(status, response);
    tonerowSave();
    tonerowTell('Activation failed: ' + Tonerow.state.last_error);
    return;
  }

  if (isDefined(response.key_file) && Tonerow.unlocker) {
    Tonerow.unlocker.writeKeyFile(response.key_file);
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
  tonerowTell(tonerowIsUnlocked() ? '' : TONEROW_LOCKED);
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
  tonerowTell('');
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
  // set anew each time, because other parts of the plugin may talk to other servers
  Server.setBaseURL(TonerowSettings.baseURL);
  Server.setHttpHeader('X-App-Id: ' + TonerowSettings.appId + '\nX-App-Key: ' + TonerowSettings.appKey);
  Server.callWithPOST(path, form, callback);
}

function tonerowForget() {
  Tonerow.state.license_key = '';
  Tonerow.state.instance_id = '';
  Tonerow.state.token = '';
  Tonerow.state.last_ok = 0;
  Tonerow.state.last_error = '';
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
  }
}
