// SPDX-License-Identifier: ISC
/*  Include this file in onInit, after Content.makeFrontInterface, with the size of your interface. */

include('Tonerow.js');
include('TonerowPanel.js');

// the node tonerow_gate has the license; an unlocker beside it would mute the plugin for good
Tonerow.setBridge(Engine.getGlobalRoutingManager());
TonerowPanel.setProductsPage('{{REDEMPTION_PAGE}}');
TonerowPanel.start(600, 400);
