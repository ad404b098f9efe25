/** Something to wait for, and what ends the wait: an answer that a test holds back until it has looked. */
export function untilLetGo(): { readonly held: Promise<void>; readonly release: () => void } {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release };
}
