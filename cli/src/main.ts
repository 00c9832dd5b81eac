export async function main(_a: readonly string[]): Promise<void> {}
