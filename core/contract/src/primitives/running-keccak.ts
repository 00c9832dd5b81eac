/// <reference path="./keccak-wasm.d.ts" />

/** An incremental Keccak-256 hash; its digest can be read at any time. */
export interface RunningKeccak {
  update(bytes: Uint8Array): void;
  /** The hash of all input so far, 32 bytes. */
  digest(): Uint8Array;
}

let loading: Promise<() => RunningKeccak> | undefined;

/** Loads the hash once; each call of the returned function starts a new hash. */
export function loadRunningKeccak(): Promise<() => RunningKeccak> {
  loading ??= createFactory();
  return loading;
}

async function createFactory(): Promise<() => RunningKeccak> {
  const { default: hashWasm } = await import("hash-wasm/dist/keccak.umd.min.js");
  // One instance serves all: the state of each hash is stored outside it.
  const hasher = await hashWasm.createKeccak(256);
  return () => {
    let state = hasher.init().save();
    return {
      update(bytes) {
        state = hasher.load(state).update(bytes).save();
      },
      digest: () => hasher.load(state).digest("binary"),
    };
  };
}
