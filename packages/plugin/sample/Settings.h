// SPDX-License-Identifier: ISC
// Your values: the dashboard shows this file with them filled in (Tools, Licensing API).
#pragma once

inline tonerow::Config sampleSettings()
{
    tonerow::Config config;
    config.server = "https://licenses.example.com";
    config.pluginKey = "tnr_plg_…";
    config.productId = "019cd0a0-0000-7000-8000-000000000001";
    config.productName = "Tonerow Sample";
    config.developerId = "019cd0a0-0000-7000-8000-00000000000d";
    config.developer = "Ada Audio";
    config.version = "1.0.0";
    // what /api/license/v1/jwks?dev=… answers: without keys nothing unlocks
    config.keys = {};
    config.redemptionPage = "https://licenses.example.com/redeem";
    config.looksForUpdates = true;
    return config;
}
