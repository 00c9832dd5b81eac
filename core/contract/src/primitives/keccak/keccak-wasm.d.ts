/** One hash of the package `hash-wasm`; its types describe the whole package only. */
declare module "hash-wasm/dist/keccak.umd.min.js" {
  const keccak: Pick<typeof import("hash-wasm"), "createKeccak">;
  export default keccak;
}
