// SPDX-License-Identifier: ISC
// What a HISE plugin has of the core: the sound that it lets through, and what the script asks and is told.
//
// The node tonerow_gate.h is the part that HISE knows; here is what needs nothing of HISE.
#pragma once

#include <juce_core/juce_core.h>

#include "../core/tonerow/gate.h"
#include "../core/tonerow/json.h"
#include "../core/tonerow/license.h"
#include "../core/tonerow/qr.h"
#include "../tonerow_juce/license/JuceHttp.h"

TONEROW_BEGIN

/** What Tonerow.js stored while the plugin had no core: the license goes on, and its seat with it. Only on the computer
   with this id, which is HISE's own: a copy of the file is worth nothing. */
inline Older olderOfScript (const juce::File& file, const juce::String& machineId)
{
    constexpr auto most = 256 * 1024;

    if (machineId.isEmpty() || ! file.existsAsFile() || file.getSize() > most)
        return {};

    const auto stored = JsonObject::parse (file.loadFileAsString().toStdString());

    if (! stored || stored->text ("instance_id") != machineId.toStdString())
        return {};

    return { stored->text ("license_key"), stored->text ("token"), {} };
}

/** All but what is older, which only the node can look for. */
inline Parts partsForHise()
{
    auto parts = Parts::ofThisSystem();
    parts.http = std::make_shared<JuceHttp>();
    parts.os = juce::SystemStats::getOperatingSystemName().toStdString();
    return parts;
}

/** One for each node. It starts no thread and no timer: it speaks when the script asks, on the thread of the script. */
class HiseBridge
{
public:
    explicit HiseBridge (License& l) : license (l) {}

    /** Before sound comes, and whenever HISE prepares its nodes again. */
    void prepare (double rate) noexcept
    {
        sampleRate = rate;
        gate.prepare (rate, license.isUnlocked());
    }

    /** The audio thread: atomics alone. */
    void process (float* const* channels, int numChannels, int numSamples) noexcept
    {
        license.processed (static_cast<std::size_t> (juce::jmax (0, numSamples)), sampleRate);
        gate.process (channels, numChannels, numSamples, license.isUnlocked());
    }

    /** The thread of the script: a list of texts, the first of which names what is wanted. What there is to tell, or an
       empty text. Anything else is ignored, because every script of the plugin can send something. */
    juce::String ask (const juce::var& words)
    {
        const juce::ScopedLock hold (lock);
        const auto* list = words.getArray();
        const auto word = [list] (int index)
        { return list != nullptr && index < list->size() ? (*list)[index].toString().toStdString() : std::string(); };
        const auto verb = word (0);
        // each of these has an outcome that is told, also where nothing changes
        isAwaited = isAwaited || verb == "activate" || verb == "browser" || verb == "trial" || verb == "check"
                    || verb == "release" || verb == "again" || verb == "cancel" || verb == "seats_code"
                    || verb == "seats" || verb == "seat_release";

        if (verb == "activate")
            license.activate (word (1), word (2));
        else if (verb == "browser")
            license.activateInBrowser();
        else if (verb == "trial")
            license.startTrial();
        else if (verb == "check")
            license.checkNow();
        else if (verb == "release")
            license.release();
        else if (verb == "cancel")
            license.cancel();
        else if (verb == "again")
            license.tryAgain();
        else if (verb == "forget")
            license.forgetNotice();
        else if (verb == "seats_code")
            license.sendSeatsCode();
        else if (verb == "seats")
            license.listSeats (word (1));
        else if (verb == "seat_release")
            license.releaseSeat (word (1));
        else if (verb == "update")
            license.lookForUpdate();
        else if (verb == "file")
            return told (license.readLicenseFile (word (1)));
        else if (verb == "give_up")
            return told (Notice::none, license.releaseOffline());
        else if (verb == "machine")
        {
            license.machineFile();
            return told (Notice::none);
        }
        else if (verb == "hello")
            return told (Notice::none);
        else if (verb == "tick")
        {
            license.tick();

            // a page that waits for its owner is told once
            if (license.revision() != heard || (isAwaited && license.view().busy == Busy::no))
                return told (Notice::none);
        }

        return {};
    }

    /** As JSON: a text gets through every version of HISE unchanged. */
    juce::String told (Notice ofFile, const std::string& releaseFile = {})
    {
        const juce::ScopedLock hold (lock);
        heard = license.revision();
        const auto view = license.view();
        isAwaited = isAwaited && view.busy != Busy::no;
        // nobody waits for a newer version
        const auto isOfUpdate = view.attempt.isThere() && view.attempt.what == Busy::lookingForUpdate;
        const auto notice = ofFile != Notice::none ? ofFile : isOfUpdate ? Notice::none : view.notice;
        // nothing is stored before somebody asks for it
        const auto file = license.peekMachineFile();
        // the view's is shortened, for people
        const auto machine = JsonObject::parse (file).value_or (JsonObject()).text ("machine_id");
        const auto text = JsonWriter()
                              .integer ("unlocked", view.isUnlocked ? 1 : 0)
                              .integer ("busy", view.busy == Busy::no ? 0 : 1)
                              .text ("state", tonerow::nameOf (view.state))
                              .text ("notice", tonerow::nameOf (notice))
                              .text ("status", view.status)
                              .text ("message", view.message)
                              .integer ("days", view.daysLeft)
                              .text ("serial", view.serialMasked)
                              .integer ("used", view.seatsUsed)
                              .integer ("most", view.seatsMax)
                              .text ("page", view.page.address)
                              .text ("page_code", view.page.code)
                              .text ("page_qr", rowsOf (view.page.address))
                              .integer ("code_sent", view.isCodeSent ? 1 : 0)
                              .integer ("seats_known", view.areSeatsKnown ? 1 : 0)
                              .source ("seats", seatsOf (view))
                              .integer ("finishing", view.isFinishing ? 1 : 0)
                              .integer ("https", JuceHttp::hasHttps() ? 1 : 0)
                              .text ("store_path", view.storeTrouble.path)
                              .text ("store_reason", view.storeTrouble.reason)
                              .text ("store_problem", nameOf (view.storeTrouble))
                              .text ("update_version", view.update.version)
                              .text ("update_notes", view.update.notes)
                              .text ("update_link", view.update.link)
                              .text ("host", view.attempt.host)
                              .integer ("http", view.attempt.httpStatus)
                              .text ("request", view.attempt.requestId)
                              .text ("at", juce::Time (view.attempt.at * 1000).toISO8601 (true).toStdString())
                              .text ("diagnostics", license.diagnostics())
                              .text ("machine_id", machine)
                              .text ("machine_file", file)
                              .integer ("releasable", view.isReleasable ? 1 : 0)
                              .integer ("released", view.isReleased ? 1 : 0)
                              .text ("release_file", releaseFile)
                              .finish();
        return juce::String::fromUTF8 (text.data(), static_cast<int> (text.size()));
    }

private:
    /** By the names of the form's texts. Empty where only the system's words are known. */
    static const char* nameOf (const FileTrouble& trouble) noexcept
    {
        switch (trouble.problem)
        {
            case FileProblem::denied:
                return "reasonDenied";
            case FileProblem::readOnly:
                return "reasonReadOnly";
            case FileProblem::full:
                return "reasonFull";
            case FileProblem::inUse:
                return "reasonInUse";
            case FileProblem::notAFile:
                return "reasonNotAFile";
            case FileProblem::notAFolder:
                return "reasonNotAFolder";
            case FileProblem::tooLarge:
                return "reasonTooLarge";
            case FileProblem::noPlace:
                return "noPlace";
            case FileProblem::other:
                break;
        }

        return "";
    }

    /** The QR code of an address: its rows, 1 for a dark square. */
    static std::string rowsOf (const std::string& address)
    {
        const auto code = address.empty() ? std::nullopt : QrCode::of (address);
        std::string rows;

        for (auto y = 0; code && y < code->size(); ++y)
        {
            if (y > 0)
                rows += ' ';

            for (auto x = 0; x < code->size(); ++x)
                rows += code->isDark (x, y) ? '1' : '0';
        }

        return rows;
    }

    static std::string seatsOf (const View& view)
    {
        std::string all;

        for (const auto& each : view.seats)
            all += (all.empty() ? "" : ",")
                   + JsonWriter().text ("id", each.id).text ("name", each.name).text ("day", each.lastSeen).finish();

        return "[" + all + "]";
    }

    License& license;
    Gate gate;
    double sampleRate = 0.0;
    juce::CriticalSection lock; // of what follows; never on the audio thread
    std::uint32_t heard = 0;
    bool isAwaited = false;

    JUCE_DECLARE_NON_COPYABLE (HiseBridge)
};

TONEROW_END
