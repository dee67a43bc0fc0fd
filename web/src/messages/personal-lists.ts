// The texts of Favorites and Shared with me.
import { messages } from "./messages.ts";

export const personalListTexts = messages({
  en: {
    favorites: "Favorites",
    shared: "Shared with me",
    noFavorites: "No favorites yet. Open an artifact and choose “Add to favorites” in its menu.",
    noneShared: "Nothing is shared with you yet. What others share with your email address is listed here.",
    add: "Add to favorites",
    remove: "Remove from favorites",
    removeOne: ({ title }: { title: string }) => `Remove ${title} from favorites`,
  },
  de: {
    favorites: "Favoriten",
    shared: "Für mich freigegeben",
    noFavorites: "Noch keine Favoriten. Öffne ein Artefakt und wähle in seinem Menü „Zu Favoriten hinzufügen“.",
    noneShared: "Noch ist nichts für dich freigegeben. Hier steht, was andere für deine E-Mail-Adresse freigeben.",
    add: "Zu Favoriten hinzufügen",
    remove: "Aus Favoriten entfernen",
    removeOne: ({ title }: { title: string }) => `${title} aus den Favoriten entfernen`,
  },
});
