// SPDX-License-Identifier: ISC
#pragma once

tonerow::Config configOfTest();

inline tonerow::Config licenseSettings() { return configOfTest(); }
