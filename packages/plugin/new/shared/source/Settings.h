// SPDX-License-Identifier: ISC
// What the license of {{PRODUCT_NAME}} needs to know. It ships in the plugin. Nothing here is a secret
// but the plugin key, which may do nothing but license.
#pragma once

// HISE's compiler is told of no folder to find it in, and has it already
#ifndef TONEROW_CORE_IS_HERE
    #include <tonerow/license.h>
#endif

inline tonerow::Config licenseSettings()
{
    tonerow::Config config;
    config.server = "{{TONEROW_URL}}";
    config.pluginKey = "{{PLUGIN_KEY}}";
    config.productId = "{{PRODUCT_ID}}";
    config.productName = "{{PRODUCT_NAME}}";
    config.developerId = "{{DEVELOPER_ID}}";
    config.developer = "{{DEVELOPER_NAME}}";
    config.version = PLUGIN_VERSION;
    // your public keys: without them nothing unlocks, and what fetches its keys would believe whoever answers
    config.keys = { { "{{KEY_ID}}", "{{KEY_X}}" } };
    // or the link of your own domain
    config.redemptionPage = "{{REDEMPTION_PAGE}}";
    config.looksForUpdates = true;
    return config;
}
