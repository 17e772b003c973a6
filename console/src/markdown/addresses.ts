/** Whether a message may link to this address. Others, such as `javascript:` and relative ones, stay text. */
export function isSafeLink(address: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s]/i.test(address);
}

/** Whether an image is contained in its address. Vector images are left out, because they can contain scripts. */
export function isEmbeddedImage(address: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(address);
}
