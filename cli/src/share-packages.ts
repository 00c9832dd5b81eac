// Runs in the thread of module hooks: an external plugin gets the packages of the running program.

interface Context {
  readonly parentURL?: string;
}

type Resolve = (specifier: string, context: Context) => Promise<unknown>;

let program = "";

/** Stands for the program, from which its own packages are resolved. */
export function initialize(data: { readonly program: string }): void {
  program = data.program;
}

/** Resolves `@plinth/…` from the program first, so that there is one copy of the core. */
export async function resolve(
  specifier: string,
  context: Context,
  next: Resolve,
): Promise<unknown> {
  if (!specifier.startsWith("@plinth/")) return next(specifier, context);
  try {
    return await next(specifier, { ...context, parentURL: program });
  } catch {
    // Not one of ours: a third party may publish under the same scope.
    return next(specifier, context);
  }
}
