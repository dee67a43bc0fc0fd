// The texts of Favorites, Recently viewed and Shared with me.
import { messages } from "./messages.ts";

export const personalListTexts = messages({
  en: {
    favorites: "Favorites",
    recent: "Recent",
    aboutRecent: "What you opened while signed in. Only you can see this list.",
    nothingOpened: "Nothing here yet. Artifacts that you open while signed in are listed here.",
    clear: "Clear history",
    shared: "Shared with me",
    noFavorites:
      "No favorites yet. Choose the star of an artifact on your dashboard, or “Add to favorites” in its menu.",
    noneShared: "Nothing is shared with you yet. What others share with your email address is listed here.",
    add: "Add to favorites",
    remove: "Remove from favorites",
    removeOne: ({ title }: { title: string }) => `Remove ${title} from favorites`,
    favoriteOne: ({ title }: { title: string }) => `Favorite: ${title}`,
    notChanged: "Couldn’t change your favorites. Try again.",
  },
  de: {
    favorites: "Favoriten",
    recent: "Zuletzt angesehen",
    aboutRecent: "Was du angemeldet geöffnet hast. Nur du siehst diese Liste.",
    nothingOpened: "Noch ist nichts hier. Artefakte, die du angemeldet öffnest, stehen dann in dieser Liste.",
    clear: "Verlauf leeren",
    shared: "Für mich freigegeben",
    noFavorites:
      "Noch keine Favoriten. Wähle den Stern eines Artefakts in deinem Dashboard oder in seinem Menü „Zu Favoriten hinzufügen“.",
    noneShared: "Noch ist nichts für dich freigegeben. Hier steht, was andere für deine E-Mail-Adresse freigeben.",
    add: "Zu Favoriten hinzufügen",
    remove: "Aus Favoriten entfernen",
    removeOne: ({ title }: { title: string }) => `${title} aus den Favoriten entfernen`,
    favoriteOne: ({ title }: { title: string }) => `Favorit: ${title}`,
    notChanged: "Deine Favoriten konnten nicht geändert werden. Versuche es noch einmal.",
  },
});
