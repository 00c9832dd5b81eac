import * as encoder from "./wasm-encoder.js";
import { instantiate } from "./wasm-instance.js";

/** Writes modules of WebAssembly, and instantiates them. */
export const wasm = { ...encoder, instantiate };
