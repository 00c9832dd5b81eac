import { until } from "./network-node.js";
import { listNodes } from "./program-process.js";

const LIMIT_MS = 120_000;

/**
 * Waits until the managers of a `plinth up` network know each other: blocks may be produced before.
 */
export async function managersMet(folder: string): Promise<void> {
  const managers = listNodes(folder).flatMap(({ manager }) => manager ?? []);
  for (const one of managers) {
    const others = managers.filter((each) => each !== one);
    await until(async () => {
      const known = await managersOf(one);
      return others.every(({ publicKey }) => known.includes(publicKey));
    }, LIMIT_MS);
  }
}

/** Number of other managers' keys that one knows. */
async function managersOf({ nodePort }: { readonly nodePort: number }): Promise<readonly string[]> {
  const response = await fetch(`http://127.0.0.1:${nodePort}/plinth/status`);
  const { peers } = (await response.json()) as { peers: { keys: string[] }[] };
  return peers.flatMap(({ keys }) => keys);
}
