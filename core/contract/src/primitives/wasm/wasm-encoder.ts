/** Opcodes of the WebAssembly instructions that the modules of this package use. */
export const OP = {
  block: 0x02,
  loop: 0x03,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  call: 0x10,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  i64Load: 0x29,
  i32Load8U: 0x2d,
  i64Store: 0x37,
  i32Const: 0x41,
  i64Const: 0x42,
  i32Eqz: 0x45,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32Mul: 0x6c,
  i64Add: 0x7c,
  i64Mul: 0x7e,
  i64And: 0x83,
  i64Xor: 0x85,
  i64ShrU: 0x88,
  i64Rotr: 0x8a,
} as const;

const VOID = 0x40;
const I32 = 0x7f;
const I64 = 0x7e;
const FUNCTION = 0x60;
const ALIGN_8 = 3;
const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** A function with i32 parameters and no result; locals of type i64 follow the parameters. */
export interface WasmFunction {
  /** Exported under this name. */
  readonly name: string;
  readonly parameters: number;
  readonly locals: number;
  readonly code: readonly number[];
}

/** Encodes a module of functions that share one memory, exported as `memory`. */
export function encodeModule(functions: readonly WasmFunction[], pages: number): Uint8Array {
  const types = functions.map(({ parameters }) => [
    FUNCTION,
    ...vector(Array.from({ length: parameters }, () => [I32])),
    ...vector([]),
  ]);
  const exported = [
    [...text("memory"), 0x02, 0],
    ...functions.map(({ name }, index) => [...text(name), 0x00, ...unsigned(index)]),
  ];
  return Uint8Array.from([
    ...MAGIC,
    ...section(1, vector(types)),
    ...section(3, vector(functions.map((_, index) => unsigned(index)))),
    ...section(5, vector([[0x00, ...unsigned(pages)]])),
    ...section(7, vector(exported)),
    ...section(10, vector(functions.map(body))),
  ]);
}

/** Pushes a local. */
export const get = (local: number): number[] => [OP.localGet, ...unsigned(local)];

/** Pops a value into a local. */
export const set = (local: number): number[] => [OP.localSet, ...unsigned(local)];

/** Copies the value on top of the stack into a local. */
export const tee = (local: number): number[] => [OP.localTee, ...unsigned(local)];

/** Pushes an i32 constant. */
export const i32 = (value: number): number[] => [OP.i32Const, ...signed(BigInt(value))];

/** Pushes an i64 constant. */
export const i64 = (value: bigint): number[] => [OP.i64Const, ...signed(value)];

/** Replaces the address on the stack by the i64 at that address and an offset. */
export const load = (offset: number): number[] => [OP.i64Load, ALIGN_8, ...unsigned(offset)];

/** Pops an i64 and an address, and stores the i64 at the address plus an offset. */
export const store = (offset: number): number[] => [OP.i64Store, ALIGN_8, ...unsigned(offset)];

/** Replaces the address on the stack by the byte at that address. */
export const loadByte = (): number[] => [OP.i32Load8U, 0, 0];

/** Calls a function of the module by its index. */
export const call = (index: number): number[] => [OP.call, ...unsigned(index)];

/** A block that `br 0` leaves. */
export const block = (...code: readonly number[][]): number[] => [
  OP.block,
  VOID,
  ...code.flat(),
  OP.end,
];

/** A block that `br 0` repeats. */
export const loop = (...code: readonly number[][]): number[] => [
  OP.loop,
  VOID,
  ...code.flat(),
  OP.end,
];

/** Leaves or repeats the block at a depth. */
export const br = (depth: number): number[] => [OP.br, ...unsigned(depth)];

/** Leaves or repeats the block at a depth if the i32 on the stack is not zero. */
export const brIf = (depth: number): number[] => [OP.brIf, ...unsigned(depth)];

function body({ locals, code }: WasmFunction): number[] {
  const declared = locals === 0 ? vector([]) : vector([[...unsigned(locals), I64]]);
  const content = [...declared, ...code, OP.end];
  return [...unsigned(content.length), ...content];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): number[] {
  const bytes = [...new TextEncoder().encode(value)];
  return [...unsigned(bytes.length), ...bytes];
}

/** LEB128. */
function unsigned(value: number): number[] {
  const rest = Math.floor(value / 128);
  return rest === 0 ? [value % 128] : [(value % 128) + 128, ...unsigned(rest)];
}

/** Signed LEB128. */
function signed(value: bigint): number[] {
  const low = Number(BigInt.asUintN(7, value));
  const rest = value >> 7n;
  const isLast = rest === (low >= 64 ? -1n : 0n);
  return isLast ? [low] : [low + 128, ...signed(rest)];
}
