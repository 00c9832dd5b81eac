/** A protocol and its version, as peers announce it. */
export interface Capability {
  readonly name: string;
  readonly version: number;
}

/** A capability as text: `eth/68`. */
export function formatCapability({ name, version }: Capability): string {
  return `${name}/${version}`;
}

/**
 * The protocols that two nodes share, in the order of their message ids.
 *
 * For each name only the highest version that both have counts; names are in ascending byte order.
 */
export function agreeProtocols<P extends Capability>(
  ours: readonly P[],
  theirs: readonly Capability[],
): readonly P[] {
  const offered = new Set(theirs.map(formatCapability));
  const best = new Map<string, P>();
  for (const protocol of ours) {
    const known = best.get(protocol.name);
    if (!offered.has(formatCapability(protocol))) continue;
    if (known === undefined || known.version < protocol.version) best.set(protocol.name, protocol);
  }
  // Names are ASCII, so the order of code units is that of bytes.
  return [...best.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
