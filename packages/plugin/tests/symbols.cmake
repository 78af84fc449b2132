# SPDX-License-Identifier: ISC
# What a library of ours may not have: objects of static storage, type information, exceptions, other programs.
execute_process (COMMAND ${NM} -C ${LIBRARY} OUTPUT_VARIABLE symbols RESULT_VARIABLE code)

if (NOT code EQUAL 0)
    message (FATAL_ERROR "nm cannot read ${LIBRARY}")
endif()

if (NOT symbols MATCHES "tonerow::")
    message (FATAL_ERROR "${LIBRARY} has nothing of ours: was another one meant?")
endif()

foreach (wrong "_GLOBAL__sub_I" "typeinfo for" "__cxa_throw" "__cxa_allocate_exception" "__cxa_guard_acquire" "__cxa_atexit"
        " U popen" " U system" " U fork" " U vfork" " U execv" " U posix_spawn" " U random_device")
    string (FIND "${symbols}" "${wrong}" at)

    if (NOT at EQUAL -1)
        message (SEND_ERROR "${LIBRARY}: ${wrong}")
    endif()
endforeach()

# variables: neither initialized nor zero ones, whatever they are called
string (REGEX MATCHALL "[0-9a-f]+ [bBdD] [^\n]*" variables "${symbols}")

foreach (variable ${variables})
    if (NOT variable MATCHES "DW.ref.__gxx_personality|__asan|__odr_asan|vtable for")
        message (SEND_ERROR "${LIBRARY}: a variable: ${variable}")
    endif()
endforeach()
