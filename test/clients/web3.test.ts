import { describeLibrary } from "./describe-library.js";

// web3.js has no class for either; it passes on the code of the node, which is that of Besu.
describeLibrary("web3", {
  nonceTooLow: "InvalidResponseError, caused by -32001",
  insufficientFunds: "InvalidResponseError, caused by -32004",
});
