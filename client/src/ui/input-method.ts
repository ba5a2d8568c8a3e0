/**
 * Whether an input method handles this key, such as the Enter that confirms Japanese text. Safari ends the composition
 * before that key is reported, and then only its code, 229, tells.
 */
export function isFromInputMethod({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
