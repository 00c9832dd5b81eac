export {
  type Compute,
  type Interrupt,
  InvalidInput,
  type PrecompiledContract,
} from "./precompile.js";
export { precompilesAt } from "./precompiles-at.js";
