// SPDX-License-Identifier: ISC
#include "CurlHttp.h"

#include <curl/curl.h>

#include <string>

namespace
{

std::size_t takeBody (char* bytes, std::size_t, std::size_t size, void* exchange)
{
    // anything but all of it ends the transfer
    return static_cast<tonerow::HttpExchange*> (exchange)->addBody (bytes, size) ? size : 0;
}

std::size_t takeHeader (char* bytes, std::size_t, std::size_t size, void* exchange)
{
    const std::string line (bytes, size);
    const auto colon = line.find (':');

    if (colon == std::string::npos)
        return size;

    const auto from = line.find_first_not_of (" \t", colon + 1);
    const auto to = line.find_last_not_of (" \t\r\n");
    const auto isEmpty = from == std::string::npos || to < from;
    static_cast<tonerow::HttpExchange*> (exchange)->addHeader (
        line.substr (0, colon), isEmpty ? std::string() : line.substr (from, to - from + 1));
    return size;
}

/** Whether all has come, and nobody wanted it to stop. */
bool run (CURLM* multi, CURL* easy, const tonerow::HttpExchange& exchange)
{
    if (curl_multi_add_handle (multi, easy) != CURLM_OK)
        return false;

    auto isRunning = 1;
    auto isDone = false;

    while (isRunning > 0 && ! exchange.mustStop())
    {
        if (curl_multi_perform (multi, &isRunning) != CURLM_OK)
            break;

        auto left = 0;

        while (const auto* message = curl_multi_info_read (multi, &left))
            isDone = message->msg == CURLMSG_DONE && message->data.result == CURLE_OK;

        if (isRunning > 0)
            curl_multi_poll (multi, nullptr, 0, 20, nullptr);
    }

    curl_multi_remove_handle (multi, easy);
    return isDone && ! exchange.mustStop();
}

} // namespace

CurlHttp::CurlHttp() { curl_global_init (CURL_GLOBAL_DEFAULT); }

CurlHttp::~CurlHttp() { curl_global_cleanup(); }

void CurlHttp::send (const tonerow::HttpRequest& request, tonerow::HttpExchange& exchange)
{
    auto* multi = curl_multi_init();
    auto* easy = curl_easy_init();
    curl_slist* headers = nullptr;

    for (const auto& each : request.headers)
        headers = curl_slist_append (headers, (each.name + ": " + each.value).c_str());

    if (multi != nullptr && easy != nullptr)
    {
        curl_easy_setopt (easy, CURLOPT_URL, request.url.c_str());
        curl_easy_setopt (easy, CURLOPT_HTTPHEADER, headers);
        // no signals: a plugin is a guest in its process
        curl_easy_setopt (easy, CURLOPT_NOSIGNAL, 1L);
        // a redirect could lead anywhere
        curl_easy_setopt (easy, CURLOPT_FOLLOWLOCATION, 0L);
        curl_easy_setopt (easy, CURLOPT_TIMEOUT_MS, static_cast<long> (exchange.millisecondsLeft()));
        curl_easy_setopt (easy, CURLOPT_WRITEFUNCTION, takeBody);
        curl_easy_setopt (easy, CURLOPT_WRITEDATA, &exchange);
        curl_easy_setopt (easy, CURLOPT_HEADERFUNCTION, takeHeader);
        curl_easy_setopt (easy, CURLOPT_HEADERDATA, &exchange);

        if (request.method == "POST")
        {
            curl_easy_setopt (easy, CURLOPT_POST, 1L);
            curl_easy_setopt (easy, CURLOPT_POSTFIELDS, request.body.data());
            curl_easy_setopt (easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t> (request.body.size()));
        }

        if (run (multi, easy, exchange))
        {
            auto status = 0L;
            curl_easy_getinfo (easy, CURLINFO_RESPONSE_CODE, &status);
            exchange.setStatus (static_cast<int> (status));
            exchange.finish();
        }
    }

    curl_slist_free_all (headers);
    curl_easy_cleanup (easy);
    curl_multi_cleanup (multi);
}
