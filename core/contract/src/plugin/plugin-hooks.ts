import type { HookFacades } from "../kernel/hooks.js";
import type { NodeHookGroups } from "./hooks.js";
import type { Runtime } from "./runtime.js";

/** Every hook of a node, as plugins see them; taps receive the runtime as their last argument. */
export type NodeHooks<R = Runtime> = HookFacades<NodeHookGroups, R>;
