/** A function of a module, with i32 parameters and no result. */
export type WasmCall = (...parameters: number[]) => void;

/** The memory of an instance; its buffer is replaced after it has grown. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** The used part of an API that the types of Node.js 20 leave to those of browsers. */
interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Record<string, unknown> };
}

/** Compiles and instantiates a module that imports nothing. */
export function instantiate<Name extends string>(
  bytes: Uint8Array,
  names: readonly Name[],
): { readonly memory: WasmMemory; readonly functions: Readonly<Record<Name, WasmCall>> } {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly;
  const { exports } = new Instance(new Module(bytes));
  const functions = Object.fromEntries(names.map((name) => [name, exports[name]]));
  return {
    memory: exports.memory as WasmMemory,
    functions: functions as Record<Name, WasmCall>,
  };
}
