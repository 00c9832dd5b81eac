/** How every client's compiler is to be set: the chain of `--profile=dev` begins with Shanghai. */
export const SETTINGS = {
  evmVersion: "shanghai",
  optimizer: { enabled: true, runs: 200 },
};
