/** Values of examples in the reference. */
export const EXAMPLES = {
  address: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
  contract: "0x42699a7612a82f1d9c36148af9c77354759b210b",
  hash: `0x${"ab".repeat(32)}`,
} as const;
