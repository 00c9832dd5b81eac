import { describeLibrary } from "./describe-library.js";

describeLibrary("ethers5", {
  installed: "ethers",
  nonceTooLow: "NONCE_EXPIRED",
  insufficientFunds: "INSUFFICIENT_FUNDS",
});
