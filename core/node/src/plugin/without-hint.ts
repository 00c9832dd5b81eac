/** How an operator runs the node without a plugin that fails. */
export function withoutHint(plugin: string): string {
  return `to run without it, put without = ["${plugin}"] into the configuration file`;
}
