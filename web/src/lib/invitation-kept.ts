// The token of the invitation that this tab has opened, which stays while its visitor signs in.

const key = "plinth-invitation";

export const invitationKept = (): string | null => sessionStorage.getItem(key);
export const keepInvitation = (token: string): void => sessionStorage.setItem(key, token);
export const dropInvitation = (): void => sessionStorage.removeItem(key);
