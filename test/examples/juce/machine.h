// A computer that a test can control, around a program that uses the real JUCE: its clock, its network and its message
// loop. Written for these tests. The id of the computer comes from the environment (see machine.ts).
#pragma once

#include <juce_events/juce_events.h>

#include <string>

/** The facts of this computer that the test changed. */
struct Machine
{
    /** The time of day in milliseconds since 1970, as JUCE and everybody else in this process sees it. */
    static void setClock (long long milliseconds);

    static void setOnline (bool);

    /** Connections that were tried while online. */
    static int connections();

    /** A name server that never answers, until it is heard again. */
    static void setNamesHeard (bool);

    /** Names that were asked for while it did not answer. */
    static int namesAsked();

    /** How often a lock between processes was tried. */
    static int locksTried();

    /** Delivers the messages that are waiting, as a host's event loop does. */
    static void deliverMessages();
};
