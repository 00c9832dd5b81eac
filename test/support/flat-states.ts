/** Imported first by tests of what only flat states have: they run with `PLINTH_TEST_STATES=FOREST` as well. */
delete process.env.PLINTH_TEST_STATES;
