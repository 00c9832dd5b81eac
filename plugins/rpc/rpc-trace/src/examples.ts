const HASH = `0x${"ab".repeat(32)}`;

/** A transfer as a trace without its position. */
export const PLAIN_TRACE = {
  action: {
    callType: "call",
    from: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
    gas: "0x0",
    input: "0x",
    to: "0x627306090abab3a6e1400e9345bc60c78a8bef57",
    value: "0x1",
  },
  result: { gasUsed: "0x0", output: "0x" },
  subtraces: 0,
  traceAddress: [],
  type: "call",
};

/** A transfer as a trace of a block. */
export const CALL_TRACE = {
  ...PLAIN_TRACE,
  blockHash: HASH,
  blockNumber: 1,
  transactionHash: HASH,
  transactionPosition: 0,
};

/** The result of a traced call. */
export const CALL_RESULT = { output: "0x", stateDiff: null, trace: [PLAIN_TRACE], vmTrace: null };

/** The result of a traced transaction. */
export const REPLAY_RESULT = { ...CALL_RESULT, transactionHash: HASH };

/** A transfer to simulate. */
export const CALL = {
  from: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
  to: "0x627306090abab3a6e1400e9345bc60c78a8bef57",
  value: "0x1",
};

/** The same transfer, signed for the chain 1337. */
export const SIGNED_TRANSFER =
  "0xf86580843b9aca0082520894627306090abab3a6e1400e9345bc60c78a8bef570180820a96a0d62da7a1dfeda15bbccadcc8a5491d7ae0019f1cc5abd4cd78624ff1dab02be9a05132b8799398b65611a44fc0a97833535793b69a2d45425b62e76c1780e2485d";
