import { describeLibrary } from "./describe-library.js";

describeLibrary("viem", {
  nonceTooLow: "NonceTooLowError",
  insufficientFunds: "InsufficientFundsError",
});
