export {
  type Compute,
  InvalidInput,
  inOneStep,
  type PrecompiledContract,
} from "./precompile.js";
export { precompilesAt } from "./precompiles-at.js";
