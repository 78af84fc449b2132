// SPDX-License-Identifier: ISC
#include <tonerow.h>
#include <tonerow/license.h>

int main()
{
    const tonerow::License license ({}, {});
    return license.view().state == tonerow::State::misconfigured && TONEROW_C (open) (nullptr) == nullptr ? 0 : 1;
}
