# The harness of tests/kit/check.h has to notice every kind of failed check, and to report what it noticed.
# Called with -DFAILING=program -DPASSING=program -DENDING=program -DJUNIT=file (which is written).

# Runs a program: its exit status, and a text that its output must contain (a regular expression).
function(expect program status wanted)
    execute_process(COMMAND ${program} ${ARGN} RESULT_VARIABLE got OUTPUT_VARIABLE text)
    if(NOT got STREQUAL status OR NOT text MATCHES "${wanted}")
        message(FATAL_ERROR "${program} ${ARGN}: status ${got}, expected ${status} and '${wanted}':\n${text}")
    endif()
endfunction()

# The JUnit file of the last run with --junit must contain a text (a regular expression).
function(expect_junit wanted)
    file(READ ${JUNIT} text)
    if(NOT text MATCHES "${wanted}")
        message(FATAL_ERROR "${JUNIT}: expected '${wanted}':\n${text}")
    endif()
endfunction()

# Every test of failing.c fails, alone and with the others.
execute_process(COMMAND ${FAILING} --list OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${names}" names)
string(REPLACE "\n" ";" names "${names}")
list(LENGTH names count)
if(count LESS 10)
    message(FATAL_ERROR "--list shows only: ${names}")
endif()
foreach(name IN LISTS names)
    expect(${FAILING} 1 "^TAP version 14\n1\\.\\.1\n.*not ok 1 - ${name}\n# 0 passed, 1 failed, 0 skipped, [0-9]+ checks\n$" ${name})
endforeach()
expect(${FAILING} 1 "\n# 0 passed, ${count} failed, 0 skipped, [0-9]+ checks\n$")
expect(${FAILING} 1 "^TAP version 14\n1\\.\\.0\n# 0 passed, 0 failed, 0 skipped, 0 checks\n$" no_test_has_this_name)

# A failed comparison shows both values and the tolerance.
expect(${FAILING} 1 "\n# [^\n]*failing.c:[0-9]+: too_far_relative: 1.0 \\+ 1e-9 = 1.0000000010[0-9]*, but 1.0 = 1: difference 1e-09, allowed 1e-12\n"
       too_far_relative)
expect(${FAILING} 1 "other_string: \"slide\" is \"slide\", expected \"roll\"\n" other_string)
expect(${FAILING} 1 "other_status: -1 is -1, expected 0\n" other_status)
expect(${FAILING} 1 "one_bad_among_good: 1 of 4 checks failed\n" one_bad_among_good)

# Passing tests, a skipped one with its reason, a seed from the environment.
expect(${PASSING} 0 "\n1\\.\\.6\nok 1 - runs_in_the_order_of_the_file\nok 2 - .*\n# 5 passed, 0 failed, 1 skipped, 10 checks\n$")
expect(${PASSING} 0 "\nok 1 - strings\n# 1 passed, 0 failed, 0 skipped, 2 checks\n$" strings)
expect(${PASSING} 77 "\nok 1 - marked_characters_in_a_skip # SKIP <needs> \"two\" & three\n# 0 passed, 0 failed, 1 skipped, 0 checks\n$"
       marked_characters_in_a_skip)
set(ENV{TRU_SEED} 42)
expect(${PASSING} 0 "\n# seed_is_repeatable: TRU_SEED=42\nok 1 - seed_is_repeatable\n" seed_is_repeatable)

# JUnit: results, messages, seeds and reasons, with XML's marked characters escaped.
expect(${PASSING} 0 "" --junit=${JUNIT})
expect_junit("<testsuite name=\"harness.passing\" tests=\"6\" failures=\"0\" errors=\"0\" skipped=\"1\" time=\"[0-9.]+\">")
expect_junit("<property name=\"checks\" value=\"10\"/>")
expect_junit("name=\"seed_is_repeatable\" time=\"[0-9.]+\"><system-out>seed_is_repeatable: TRU_SEED=42")
expect_junit("<skipped message=\"&lt;needs&gt; &quot;two&quot; &amp; three\"></skipped></testcase>")
set(ENV{TRU_JUNIT} ${JUNIT})
expect(${FAILING} 1 "" other_status)
expect_junit("tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\"")
expect_junit("<failure message=\"1 of 1 checks failed\">[^<]*failing.c:[0-9]+: other_status: -1 is -1, expected 0")
set(ENV{TRU_JUNIT} "")

# A program that ends in a case leaves a file that names the case, and fewer TAP lines than its plan.
expect(${ENDING} 3 "\n1\\.\\.3\nok 1 - before\n# ends: TRU_SEED=42\n$" --junit=${JUNIT})
expect_junit("tests=\"3\" failures=\"0\" errors=\"1\" skipped=\"1\"")
expect_junit("name=\"ends\" time=\"0.000\"><error message=\"the program ended in this case\">")
expect_junit("name=\"never_reached\" time=\"0.000\"><skipped message=\"the program did not come to this case\">")

# A file that cannot be written ends the program.
expect(${PASSING} 1 "\nBail out! cannot write [^\n]*/no/such/folder.xml\n$" --junit=${JUNIT}/no/such/folder.xml)
