/** One hash of the package `hash-wasm`; its types describe the whole package only. */
declare module "hash-wasm/dist/bcrypt.umd.min.js" {
  const bcrypt: Pick<typeof import("hash-wasm"), "bcrypt" | "bcryptVerify">;
  export default bcrypt;
}
