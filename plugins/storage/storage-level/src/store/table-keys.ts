/** The key of an entry in the shared database: the prefix of its table, followed by its own key. */
export function joined(prefix: Uint8Array, key: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(prefix.length + key.length);
  bytes.set(prefix, 0);
  bytes.set(key, prefix.length);
  return bytes;
}

/** The first key after all with a prefix; its last byte is zero, so incrementing it is enough. */
export function endOf(prefix: Uint8Array): Uint8Array {
  const end = new Uint8Array(prefix);
  end[end.length - 1] = 1;
  return end;
}
