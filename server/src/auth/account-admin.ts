/** The port to the identity provider's accounts, as far as the product manages them. */
export type AccountAdmin = {
  /**
   * Locks an account and ends its sessions, or unlocks it. Nothing happens if the provider no longer has it.
   * @throws {Error} if the provider cannot be asked.
   */
  setLocked(uid: string, locked: boolean): Promise<void>;
};
