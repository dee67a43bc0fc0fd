import { useEffect, useRef, useState } from 'react';
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Pause, Play, Orbit } from 'lucide-react';

const PLANETS = [
  { name: 'Mercury', radius: 0.35, distance: 4, speed: 1.6, color: 0xb5a397 },
  { name: 'Venus', radius: 0.6, distance: 6, speed: 1.2, color: 0xe6c27a },
  { name: 'Earth', radius: 0.65, distance: 8.2, speed: 1, color: 0x4f8fea },
  { name: 'Mars', radius: 0.45, distance: 10.4, speed: 0.8, color: 0xd1603d },
  { name: 'Jupiter', radius: 1.5, distance: 14, speed: 0.44, color: 0xd8a878 },
  { name: 'Saturn', radius: 1.2, distance: 18.5, speed: 0.32, color: 0xe3d3a2, ring: true },
];

export default function SolarSystem() {
  const mountRef = useRef(null);
  const pausedRef = useRef(false);
  const [paused, setPaused] = useState(false);
  const [focus, setFocus] = useState('Earth');

  useEffect(() => {
    const mount = mountRef.current;
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0x05060f);
    const camera = new THREE.PerspectiveCamera(50, mount.clientWidth / mount.clientHeight, 0.1, 500);
    camera.position.set(0, 16, 30);

    const renderer = new THREE.WebGLRenderer({ antialias: true });
    renderer.setPixelRatio(window.devicePixelRatio);
    renderer.setSize(mount.clientWidth, mount.clientHeight);
    mount.appendChild(renderer.domElement);

    const controls = new OrbitControls(camera, renderer.domElement);
    controls.enableDamping = true;
    controls.minDistance = 8;
    controls.maxDistance = 80;

    const sun = new THREE.Mesh(new THREE.SphereGeometry(2.2, 48, 48), new THREE.MeshBasicMaterial({ color: 0xffc94d }));
    scene.add(sun);
    scene.add(new THREE.PointLight(0xffffff, 800, 0, 2));
    scene.add(new THREE.AmbientLight(0x404868, 1.5));

    const stars = new THREE.BufferGeometry();
    const positions = new Float32Array(1500 * 3);
    for (let i = 0; i < positions.length; i++) positions[i] = (Math.random() - 0.5) * 300;
    stars.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    scene.add(new THREE.Points(stars, new THREE.PointsMaterial({ color: 0xffffff, size: 0.25 })));

    const pivots = PLANETS.map((planet, index) => {
      const pivot = new THREE.Group();
      pivot.rotation.y = index * 1.1;
      const mesh = new THREE.Mesh(
        new THREE.SphereGeometry(planet.radius, 32, 32),
        new THREE.MeshStandardMaterial({ color: planet.color, roughness: 0.8 }),
      );
      mesh.position.x = planet.distance;
      pivot.add(mesh);
      if (planet.ring) {
        const ring = new THREE.Mesh(
          new THREE.RingGeometry(planet.radius * 1.3, planet.radius * 2.1, 64),
          new THREE.MeshBasicMaterial({ color: 0xcdbb8a, side: THREE.DoubleSide, transparent: true, opacity: 0.6 }),
        );
        ring.rotation.x = Math.PI / 2.4;
        mesh.add(ring);
      }
      const orbit = new THREE.Mesh(
        new THREE.RingGeometry(planet.distance - 0.02, planet.distance + 0.02, 128),
        new THREE.MeshBasicMaterial({ color: 0x334466, side: THREE.DoubleSide }),
      );
      orbit.rotation.x = Math.PI / 2;
      scene.add(orbit, pivot);
      return { pivot, mesh, speed: planet.speed };
    });

    const clock = new THREE.Clock();
    let frame;
    const animate = () => {
      frame = requestAnimationFrame(animate);
      const delta = clock.getDelta();
      if (!pausedRef.current) {
        sun.rotation.y += delta * 0.2;
        for (const { pivot, mesh, speed } of pivots) {
          pivot.rotation.y += delta * speed * 0.4;
          mesh.rotation.y += delta;
        }
      }
      controls.update();
      renderer.render(scene, camera);
    };
    animate();

    const onResize = () => {
      camera.aspect = mount.clientWidth / mount.clientHeight;
      camera.updateProjectionMatrix();
      renderer.setSize(mount.clientWidth, mount.clientHeight);
    };
    window.addEventListener('resize', onResize);
    return () => {
      window.removeEventListener('resize', onResize);
      cancelAnimationFrame(frame);
      controls.dispose();
      renderer.dispose();
      mount.removeChild(renderer.domElement);
    };
  }, []);

  const toggle = () => {
    pausedRef.current = !pausedRef.current;
    setPaused(pausedRef.current);
  };
  const planet = PLANETS.find((p) => p.name === focus);

  return (
    <div className="relative h-screen w-full overflow-hidden bg-black">
      <div ref={mountRef} className="absolute inset-0" />
      <div className="pointer-events-none absolute left-6 top-6 text-white">
        <h1 className="flex items-center gap-2 text-2xl font-light tracking-widest"><Orbit className="text-amber-300" /> SOLAR SYSTEM</h1>
        <p className="mt-1 text-sm text-white/60">Drag to look around, scroll to zoom</p>
      </div>
      <div className="absolute bottom-6 left-1/2 flex -translate-x-1/2 items-center gap-2 rounded-full bg-white/10 p-2 backdrop-blur">
        <button onClick={toggle} className="flex items-center gap-1 rounded-full bg-amber-400 px-4 py-2 text-sm font-medium text-black">
          {paused ? <Play size={16} /> : <Pause size={16} />} {paused ? 'Resume' : 'Pause'}
        </button>
        {PLANETS.map((p) => (
          <button key={p.name} onClick={() => setFocus(p.name)} className={`rounded-full px-3 py-2 text-xs text-white transition ${focus === p.name ? 'bg-white/25' : 'hover:bg-white/10'}`}>
            {p.name}
          </button>
        ))}
      </div>
      <aside className="absolute right-6 top-6 w-48 rounded-xl border border-white/10 bg-white/5 p-4 text-sm text-white/80 backdrop-blur">
        <h2 className="text-lg text-white">{planet.name}</h2>
        <p>Distance: {planet.distance} units</p>
        <p>Relative speed: {planet.speed}×</p>
      </aside>
    </div>
  );
}
