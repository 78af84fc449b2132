// SPDX-License-Identifier: ISC
/*  Include this file in onInit, after Content.makeFrontInterface, with the size of your interface. */

include('Tonerow.js');
include('TonerowPanel.js');

// HISE itself mutes the plugin while it has no license, by RSA.xml in the project's folder: this needs
// USE_SCRIPT_COPY_PROTECTION=1 in the project's Extra Definitions
Tonerow.setUnlocker(Engine.createLicenseUnlocker());
TonerowPanel.setProductsPage('{{REDEMPTION_PAGE}}');
TonerowPanel.start(600, 400);
