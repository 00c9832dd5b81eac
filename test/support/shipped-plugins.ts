import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "@plinth/core";
import { createNode, type Node } from "@plinth/node";
import { ROOT } from "./program.js";

/** The plugins shipped with the program, in the order of its dependencies. */
export async function loadShippedPlugins(): Promise<readonly Plugin[]> {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "cli/package.json"), "utf8"));
  const names = Object.keys(dependencies).filter((name) => name.startsWith("@plinth/plugin-"));
  const modules = await Promise.all(names.map((name) => import(name)));
  return modules.map((module) => module.default);
}

/** A node with all of them, registered and not started. */
export async function registerShippedNode(): Promise<Node> {
  return createNode({ plugins: await loadShippedPlugins() });
}
