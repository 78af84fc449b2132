// SPDX-License-Identifier: ISC
#pragma once

#include <tonerow/http.h>

/** The network by libcurl 7.66 or newer. */
class CurlHttp final : public tonerow::Http
{
public:
    CurlHttp();
    ~CurlHttp() override;

    void send (const tonerow::HttpRequest&, tonerow::HttpExchange&) override;

    /** Nothing: a running `send` looks every 20 ms whether it has to stop. */
    void cancel() noexcept override {}

    CurlHttp (const CurlHttp&) = delete;
    CurlHttp& operator= (const CurlHttp&) = delete;
};
