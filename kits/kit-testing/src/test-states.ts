/** The layout of states of test nodes, set by `PLINTH_TEST_STATES`; `undefined` for the default. */
export const testStates = process.env.PLINTH_TEST_STATES;
