/** `rlp encode` → `rlp:encode`. */
export function toOclifId(id: string): string {
  return id.replaceAll(" ", ":");
}

/** `rlp:encode` → `rlp encode`. */
export function fromOclifId(id: string): string {
  return id.replaceAll(":", " ");
}
