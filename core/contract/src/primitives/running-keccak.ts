/// <reference path="./keccak-wasm.d.ts" />

/** A Keccak-256 hash over bytes that keep coming; its digest can be read at any time. */
export interface RunningKeccak {
  update(bytes: Uint8Array): void;
  /** The hash of everything so far, 32 bytes. */
  digest(): Uint8Array;
}

let loading: Promise<() => RunningKeccak> | undefined;

/** Loads the hash, once; each call of the answer begins a hash of its own. */
export function loadRunningKeccak(): Promise<() => RunningKeccak> {
  loading ??= createFactory();
  return loading;
}

async function createFactory(): Promise<() => RunningKeccak> {
  const { default: hashWasm } = await import("hash-wasm/dist/keccak.umd.min.js");
  // One instance serves all: the state of each hash is kept outside of it.
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
