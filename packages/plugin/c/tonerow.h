/* SPDX-License-Identifier: ISC
   The core for C and everything that calls C: iPlug2, DPF, CLAP, Rust, Unreal.

   Two developers' plugins can be in one process, and on Linux their C functions could be taken for each other's: build
   with TONEROW_C_PREFIX=acme_ and every function here is called acme_… instead of tonerow_….

   Texts are UTF-8. A function that fills a buffer always ends it with a zero, and returns how long the whole text is,
   as snprintf does. No function but those of the audio thread may be called on it. */
#ifndef TONEROW_H
#define TONEROW_H

#include <stddef.h>
#include <stdint.h>

#ifndef TONEROW_C_PREFIX
    #define TONEROW_C_PREFIX tonerow_
#endif

#define TONEROW_C_JOIN_(a, b) a##b
#define TONEROW_C_JOIN(a, b) TONEROW_C_JOIN_ (a, b)
#define TONEROW_C(name) TONEROW_C_JOIN (TONEROW_C_PREFIX, name)

#ifdef __cplusplus
extern "C"
{
#endif

    typedef struct tonerow_license_t tonerow_license_t;
    typedef struct tonerow_exchange_t tonerow_exchange_t;

    typedef struct tonerow_key_t
    {
        const char* kid;
        const char* x;
    } tonerow_key_t;

    typedef struct tonerow_request_t
    {
        const char* method;
        const char* url;
        const char* headers; /* "Name: value" in lines that end with \r\n */
        const char* body;
        size_t body_size;
    } tonerow_request_t;

    /* The way to the network. `send` blocks; it runs on a thread of its own, one at a time, and delivers what it gets
       with tonerow_exchange_…. `cancel` makes it return soon, from any thread. `release` comes last, when nothing uses
       it any more: after the license was closed, if `send` could not be interrupted. */
    typedef struct tonerow_http_t
    {
        void* context;
        void (*send) (void* context, const tonerow_request_t* request, tonerow_exchange_t* exchange);
        void (*cancel) (void* context);
        void (*release) (void* context);
    } tonerow_http_t;

    /* Set `size` to sizeof (tonerow_config_t), so that later versions can add to it. */
    typedef struct tonerow_config_t
    {
        size_t size;
        const char* server;
        const char* plugin_key;
        const char* product_id;
        const char* product_name;
        const char* developer_id;
        const char* developer;
        const char* version;
        const tonerow_key_t* keys;
        size_t key_count;
        const char* const* older_machine_ids;
        size_t older_machine_id_count;
        const char* label;       /* how the customer sees this computer; null for its operating system */
        tonerow_http_t http;     /* `send` may be null: then nothing is asked */
        const char* user_folder; /* null for the system's place */
        int looks_for_updates;   /* once a day while an editor is open */
    } tonerow_config_t;

    typedef enum tonerow_loss_t
    {
        TONEROW_FINISH = 0,
        TONEROW_BYPASS = 1,
        TONEROW_MUTE = 2
    } tonerow_loss_t;

    typedef struct tonerow_view_t
    {
        size_t size; /* set by the caller */
        int is_unlocked;
        int is_finishing;
        int is_busy;
        int days_left;
        int seats_used;
        int seats_max;
        int64_t ends_at;
        uint32_t revision;
        char state[32];
        char notice[32];
        char status[32];
        char message[512];
        char serial[64]; /* masked */
        char machine[16];
        char store_path[512];
        char store_trouble[256];
    } tonerow_view_t;

    /* Where somebody confirms a license in a browser; both empty while there is nothing to confirm. */
    typedef struct tonerow_page_t
    {
        size_t size; /* set by the caller */
        char address[2048];
        char code[64];
    } tonerow_page_t;

    typedef struct tonerow_seat_t
    {
        size_t size; /* set by the caller */
        char id[256];
        char name[128];
        char last_seen[16]; /* a day: 2026-03-10 */
        int is_this;
    } tonerow_seat_t;

    typedef struct tonerow_update_t
    {
        size_t size; /* set by the caller */
        char version[64];
        char notes[4096];
        char link[2048];
    } tonerow_update_t;

    /* The file of a newer version, with the developer's signature of its hash. */
    typedef struct tonerow_update_file_t
    {
        size_t size; /* set by the caller */
        char name[256];
        char sha256[65]; /* in lower-case hexadecimal */
        int64_t bytes;
    } tonerow_update_file_t;

    /* The last question that was refused or failed, for whoever helps. */
    typedef struct tonerow_attempt_t
    {
        size_t size;   /* set by the caller */
        char what[32]; /* "activating", as tonerow_busy has it */
        char host[256];
        char request_id[80]; /* the server's */
        int http_status;     /* 0 when there was no answer */
        int64_t at;          /* by this computer's clock */
    } tonerow_attempt_t;

    /* Null when a name is missing that it cannot do without, or the signature library does not start. */
    tonerow_license_t* TONEROW_C (open) (const tonerow_config_t* config);
    void TONEROW_C (close) (tonerow_license_t* license);

    /* The audio thread. */
    int TONEROW_C (is_unlocked) (const tonerow_license_t* license);
    tonerow_loss_t TONEROW_C (loss) (const tonerow_license_t* license);
    void TONEROW_C (processed) (tonerow_license_t* license, size_t samples, double sample_rate);

    /* Other threads. None waits for the network. */
    void TONEROW_C (view) (const tonerow_license_t* license, tonerow_view_t* view);
    uint32_t TONEROW_C (revision) (const tonerow_license_t* license);
    /* What goes on: "no", "activating", "starting_trial", "checking", "releasing", "browsing", "sending_code",
       "listing_seats", "releasing_seat" or "looking_for_update". */
    size_t TONEROW_C (busy) (const tonerow_license_t* license, char* buffer, size_t size);
    /* 1 when the notice is about a question to the server. */
    int TONEROW_C (attempt) (const tonerow_license_t* license, tonerow_attempt_t* attempt);
    /* The same again that was refused, or failed. */
    void TONEROW_C (try_again) (tonerow_license_t* license);
    /* What was refused, or failed, has been read. */
    void TONEROW_C (forget_notice) (tonerow_license_t* license);
    void TONEROW_C (tick) (tonerow_license_t* license);
    void TONEROW_C (editor_opened) (tonerow_license_t* license);
    void TONEROW_C (editor_closed) (tonerow_license_t* license);
    void TONEROW_C (activate) (tonerow_license_t* license, const char* serial, const char* email);
    void TONEROW_C (activate_in_browser) (tonerow_license_t* license);
    /* 1 while there is a page to confirm on: show its address and code, and a QR code of the address. */
    int TONEROW_C (page) (const tonerow_license_t* license, tonerow_page_t* page);
    /* The side of a QR code of a text in modules, without the quiet zone of four around it; 0 when the text is longer
       than 213 bytes. One byte per module, row by row, 1 for dark: 57 * 57 are enough for all. */
    int TONEROW_C (qr) (const char* text, uint8_t* modules, size_t size);
    /* When all seats are taken: a code to the owner, the computers, and one of them released. A computer that has a
       seat lists all of them with null for the code, by its token, and releases its own. */
    void TONEROW_C (send_seats_code) (tonerow_license_t* license);
    int TONEROW_C (is_seats_code_sent) (const tonerow_license_t* license);
    void TONEROW_C (list_seats) (tonerow_license_t* license, const char* code);
    /* 1 when they were listed: then none is none. */
    int TONEROW_C (are_seats_known) (const tonerow_license_t* license);
    size_t TONEROW_C (seat_count) (const tonerow_license_t* license);
    /* 0 when there is no such seat. */
    int TONEROW_C (seat) (const tonerow_license_t* license, size_t index, tonerow_seat_t* seat);
    void TONEROW_C (release_seat) (tonerow_license_t* license, const char* seat_id);
    /* 1 when there is a newer version. */
    int TONEROW_C (update) (const tonerow_license_t* license, tonerow_update_t* update);
    /* 1 when it has a file for this system that the developer signed. */
    int TONEROW_C (update_file) (const tonerow_license_t* license, tonerow_update_file_t* file);
    /* 1 when these bytes are that file. Nothing else may be opened as an update. */
    int TONEROW_C (is_update_file) (const tonerow_license_t* license, const void* bytes, size_t size);
    void TONEROW_C (look_for_update) (tonerow_license_t* license);
    void TONEROW_C (start_trial) (tonerow_license_t* license);
    void TONEROW_C (check_now) (tonerow_license_t* license);
    void TONEROW_C (cancel) (tonerow_license_t* license);
    void TONEROW_C (release) (tonerow_license_t* license);
    /* What the owner needs for a license file. Call it when somebody asks for it: it stores a secret of this computer.
     */
    size_t TONEROW_C (machine_file) (const tonerow_license_t* license, char* buffer, size_t size);
    /* 1 when it is in use now; the notice in the buffer says why not. */
    int TONEROW_C (read_license_file) (
        tonerow_license_t* license, const char* text, size_t text_size, char* notice, size_t size);
    /* 1 when the license file in use can be given up before it ends. */
    int TONEROW_C (can_release_offline) (const tonerow_license_t* license);
    /* Gives it up on this computer for good, and fills in the text of a release file, with which its seat is free at
       once; the same text when it is called once more. 0 when there is nothing to release, or it was not stored. */
    size_t TONEROW_C (release_offline) (tonerow_license_t* license, char* buffer, size_t size);
    size_t TONEROW_C (diagnostics) (const tonerow_license_t* license, char* buffer, size_t size);

    /* In `send`. */
    int TONEROW_C (exchange_milliseconds_left) (const tonerow_exchange_t* exchange);
    int TONEROW_C (exchange_must_stop) (const tonerow_exchange_t* exchange);
    void TONEROW_C (exchange_status) (tonerow_exchange_t* exchange, int status);
    void TONEROW_C (exchange_header) (tonerow_exchange_t* exchange, const char* name, const char* value);
    /* 0 when nothing more is wanted. */
    int TONEROW_C (exchange_body) (tonerow_exchange_t* exchange, const void* bytes, size_t size);
    void TONEROW_C (exchange_finish) (tonerow_exchange_t* exchange);

#ifdef __cplusplus
}
#endif

#endif
