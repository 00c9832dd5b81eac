import type { Address } from "@plinth/core";

/**
 * Accounts with published keys, those of the development chain: never use them for anything of
 * value.
 */
export const DEV_ACCOUNTS: readonly Address[] = [
  "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
  "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
  "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65",
  "0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc",
  "0x976ea74026e726554db657fa54763abd0c3a0aa9",
  "0x14dc79964da2c08b23698b3d3cc7ca32193d9955",
  "0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f",
  "0xa0ee7a142d267c1f36714e4a8f75612f20a79720",
  "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
  "0x627306090abab3a6e1400e9345bc60c78a8bef57",
  "0xf17f52151ebef6c7334fad080c5704d77216b732",
];
