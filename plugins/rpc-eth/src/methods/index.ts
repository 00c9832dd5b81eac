export { chainId } from "./chain-id.js";
