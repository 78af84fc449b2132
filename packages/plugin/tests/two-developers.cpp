// SPDX-License-Identifier: ISC
// The plugins of two developers in one program, both with the core: neither sees anything of the other's.
#include <cstdio>
#include <cstring>

extern "C"
{
    struct tonerow_license_t;
    struct tonerow_config_t;
    tonerow_license_t* acme_open (const tonerow_config_t*);
    tonerow_license_t* zeta_open (const tonerow_config_t*);
}

const char* acmeId();
const char* zetaId();

int main()
{
    const auto isApart = reinterpret_cast<void*> (&acme_open) != reinterpret_cast<void*> (&zeta_open)
                         && acme_open (nullptr) == nullptr && zeta_open (nullptr) == nullptr
                         && std::strcmp (acmeId(), zetaId()) != 0;
    std::printf ("%s %s\n", acmeId(), zetaId());
    return isApart ? 0 : 1;
}
