// SPDX-License-Identifier: ISC
// All of the core in one file, for projects that add sources by hand.
#include "tonerow/files_posix.cpp"
#include "tonerow/files_windows.cpp"
#include "tonerow/http.cpp"
#include "tonerow/json.cpp"
#include "tonerow/license.cpp"
#include "tonerow/machine.cpp"
#include "tonerow/sha256.cpp"
#include "tonerow/store.cpp"
#include "tonerow/system.cpp"
#include "tonerow/text.cpp"
#include "tonerow/token.cpp"
#include "tonerow/verifier.cpp"
